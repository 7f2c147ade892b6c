// Element-wise routines that came with arch 3510.
#include "common.h"

constexpr LogicalAndsConfig FIRST_IS_SCALAR = {false, 0};

/// Floating-point routines; `op` is the position in the list of test_modern.py.
template <typename T>
__global__ __aicore__ void floats(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR wGm,
                                  GM_ADDR zGm, uint32_t n, uint32_t op) {
  Desk desk;
  auto x = desk.load<T>(xGm, n), y = desk.load<T>(yGm, n),
       w = desk.load<T>(wGm, n), z = desk.take<T>(n), other = desk.take<T>(n);
  auto tmp = desk.take<uint8_t>(1024);
  PipeBarrier<PIPE_ALL>();
  T low = static_cast<T>(-1), high = static_cast<T>(1.5f);
  switch (op) {
  case 0:
    Rint(z, x, n);
    break;
  case 1:
    Rint(z, x, tmp, n);
    break;
  case 2:
    Fma(z, x, y, w, n);
    break;
  case 3:
    Fma(z, x, y, w, tmp, n);
    break;
  case 4:
    Hypot(z, x, y, n);
    break;
  case 5:
    Hypot(z, x, y, tmp);
    break;
  case 6:
    SinCos(z, other, x, n);
    break;
  case 7:
    SinCos(other, z, x, tmp, n);
    break;
  case 8:
    Clamp(z, x, low, high, n);
    break;
  case 9:
    Clamp(z, x, y, w, n);
    break;
#if __NPU_ARCH__ == 3510
  case 10:
    IsNan(z, x, n);
    break;
  case 11:
    IsInf(z, x, tmp, n);
    break;
  case 12:
    IsFinite(z, x, n);
    break;
#endif
  }
  desk.store(zGm, z, n);
}

/// Yes and no.
template <typename T>
__global__ __aicore__ void logical(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR zGm,
                                   uint32_t n, uint32_t op) {
  Desk desk;
  auto x = desk.load<T>(xGm, n), y = desk.load<T>(yGm, n);
  auto z = desk.take<bool>(n);
  PipeBarrier<PIPE_ALL>();
  T one = static_cast<T>(1);
  switch (op) {
  case 0:
    LogicalNot(z, x, n);
    break;
  case 1:
    LogicalAnd(z, x, y, n);
    break;
  case 2:
    LogicalOr(z, x, y, n);
    break;
  case 3:
    LogicalXor(z, x, y, n);
    break;
  case 4:
    LogicalAnds(z, x, one, n);
    break;
  case 5: // the scalar is the first element of a tensor
    LogicalAnds<FIRST_IS_SCALAR>(z, y, x, n);
    break;
  case 6:
    LogicalOrs(z, x, y, n);
    break;
  }
#if __NPU_ARCH__ == 3510
  if constexpr (std::is_same_v<T, float>)
    switch (op) {
    case 7:
      IsNan(z, x, n);
      break;
    case 8:
      IsInf(z, x, n);
      break;
    case 9:
      IsFinite(z, x, n);
      break;
    }
#endif
  desk.store(zGm, z, n);
}

template <typename T>
__global__ __aicore__ void bits(GM_ADDR xGm, GM_ADDR yGm, GM_ADDR ifGm,
                                GM_ADDR zGm, uint32_t n, uint32_t op) {
  Desk desk;
  auto x = desk.load<T>(xGm, n), y = desk.load<T>(yGm, n), z = desk.take<T>(n);
  auto condition = desk.load<bool>(ifGm, n);
  PipeBarrier<PIPE_ALL>();
  T seven = static_cast<T>(7);
  switch (op) {
  case 0:
    BitwiseNot(z, x, n);
    break;
  case 1:
    BitwiseAnd(z, x, y, n);
    break;
  case 2:
    BitwiseOr(z, x, y, n);
    break;
  case 3:
    BitwiseXor(z, x, y, n);
    break;
  case 4:
    Where(z, x, y, condition, n);
    break;
  case 5:
    Where(z, seven, y, condition, n);
    break;
  case 6:
    Clamp(z, x, y, seven, n);
    break;
  case 7:
    if constexpr (sizeof(T) == 8)
      Sign(z, x, n);
    else
      Power(z, x, y, n);
    break;
  }
  desk.store(zGm, z, n);
}
