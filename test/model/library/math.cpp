// Element-wise routines; `op` is the position in the list of test_math.py,
// `form` whether scratch memory and a count are given.
#include "common.h"

enum Form { COUNT, TMP_COUNT, WHOLE, TMP_WHOLE };

#define FORMS(Name, ...)                                                       \
  switch (form) {                                                              \
  case COUNT:                                                                  \
    return Name(z, __VA_ARGS__, n);                                            \
  case TMP_COUNT:                                                              \
    return Name(z, __VA_ARGS__, tmp, n);                                       \
  case WHOLE:                                                                  \
    return Name(z, __VA_ARGS__);                                               \
  case TMP_WHOLE:                                                              \
    return Name(z, __VA_ARGS__, tmp);                                          \
  }                                                                            \
  return;
#define COUNTED(Name, ...)                                                     \
  return form == TMP_COUNT ? Name(z, __VA_ARGS__, tmp, n)                      \
                           : Name(z, __VA_ARGS__, n);
#define UNARY(Index, Name)                                                     \
  case Index:                                                                  \
    FORMS(Name<T>, x)
#define UNARY_COUNTED(Index, Name)                                             \
  case Index:                                                                  \
    COUNTED(Name<T>, x)

template <typename T>
__aicore__ void compute(uint32_t op, uint32_t form, LocalTensor<T> z,
                        LocalTensor<T> x, LocalTensor<T> y,
                        LocalTensor<uint8_t> tmp, uint32_t n) {
  T scalar = y.GetValue(0);
  switch (op) {
    UNARY(0, Tanh)
    UNARY(1, Sin)
    UNARY(2, Cos)
    UNARY(3, Tan)
    UNARY(4, Asin)
    UNARY(5, Acos)
    UNARY(6, Atan)
    UNARY(7, Sinh)
    UNARY(8, Cosh)
    UNARY(9, Asinh)
    UNARY(10, Acosh)
    UNARY(11, Atanh)
    UNARY(12, Erf)
    UNARY(13, Erfc)
    UNARY(14, Log)
    UNARY(15, Log2)
    UNARY(16, Log10)
    UNARY(17, Trunc)
    UNARY(18, Frac)
    UNARY(19, Sign)
    UNARY(20, Sigmoid)
    UNARY_COUNTED(21, Floor)
    UNARY_COUNTED(22, Ceil)
    UNARY_COUNTED(23, Round)
    UNARY_COUNTED(24, Lgamma)
    UNARY_COUNTED(25, Digamma)
    UNARY_COUNTED(26, Gelu)
    UNARY_COUNTED(27, FasterGelu)
    UNARY_COUNTED(28, FasterGeluV2)
  case 29:
    COUNTED((Exp<T, 12>), x)
  case 30:
    return Silu<T>(z, x, n);
  case 31:
    return Swish<T>(z, x, n, scalar);
  case 32:
    FORMS(Power<T>, x, y)
  case 33:
    FORMS(Power<T>, x, scalar)
  case 34:
    FORMS(Power<T>, scalar, x)
  case 35:
    FORMS(Fmod<T>, x, y)
  case 36:
    FORMS(GeGLU<T>, x, y)
  case 37:
    COUNTED(ReGlu<T>, x, y)
  case 38: {
    float beta = static_cast<float>(scalar);
    FORMS(SwiGLU<T>, x, y, beta)
  }
  case 39:
    return form == TMP_COUNT ? ClampMax<T>(z, x, tmp, scalar, n)
                             : ClampMax<T>(z, x, scalar, n);
  case 40:
    return form == TMP_COUNT ? ClampMin<T>(z, x, tmp, scalar, n)
                             : ClampMin<T>(z, x, scalar, n);
  case 41:
    Duplicate(z, scalar, n);
    return Axpy<T, T>(z, x, scalar, tmp, n);
  }
}

template <typename T>
__global__ __aicore__ void math(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm,
                                uint32_t n, uint32_t op, uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, n), y = desk.load<T>(yGm, n);
  auto z = desk.take<T>(n);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  compute<T>(op, form, z, x, y, tmp, n);
  desk.store(zGm, z, n);
}

/// Power and Xor of integers.
template <typename T>
__global__ __aicore__ void integers(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm,
                                    uint32_t n, uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, n), y = desk.load<T>(yGm, n);
  auto z = desk.take<T>(n);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  auto go = [&] {
    if constexpr (sizeof(T) == 2) {
      FORMS(Xor<T>, x, y)
    } else {
      FORMS(Power<T>, x, y)
    }
  };
  go();
  desk.store(zGm, z, n);
}

/// Half in, float out.
__global__ __aicore__ void axpy_mixed(GM_ADDR xGm, GM_ADDR zGm, uint32_t n,
                                      float scalar) {
  Desk desk;
  auto x = desk.load<half>(xGm, n);
  auto z = desk.load<float>(zGm, n);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  Axpy<float, half>(z, x, static_cast<half>(scalar), tmp, n);
  desk.store(zGm, z, n);
}

constexpr CumSumConfig ROWS = {false, false, true};
constexpr CumSumConfig COLUMNS = {true, false, false};
template <typename T>
__global__ __aicore__ void cumsum(GM_ADDR xGm, GM_ADDR zGm, GM_ADDR lastGm,
                                  uint32_t outer, uint32_t inner,
                                  uint32_t form) {
  Desk desk;
  auto x = desk.load<T>(xGm, outer * inner);
  auto z = desk.take<T>(outer * inner), last = desk.load<T>(lastGm, inner);
  auto tmp = desk.take<uint8_t>(1024);
  CumSumInfo info{outer, inner};
  PipeBarrier<PIPE_ALL>();
  switch (form) {
  case 0:
    CumSum<T, ROWS>(z, last, x, info);
    break;
  case 1:
    CumSum<T, COLUMNS>(z, last, x, tmp, info);
    break;
  default:
    CumSum<T>(z, last, x, tmp, info);
  }
  desk.store(zGm, z, outer * inner);
  desk.store(lastGm, last, inner);
}
