// Every element-wise call, in one kernel per arity. z comes in with a
// pattern, so that what a call leaves alone is visible.
#include "../call.h"

using namespace AscendC;

enum Slot { Op, XCount, YCount, ZCount };

#define UNARY(Number, Name)                                                    \
  case Number:                                                                 \
    BELAY_ALL_FORMS(p, p.unary(), Name, (T), z, x);                            \
    break;
template <typename T>
__global__ __aicore__ void unary(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  switch (p[Op]) {
    UNARY(0, Exp)
    UNARY(1, Ln)
    UNARY(2, Abs)
    UNARY(3, Reciprocal)
    UNARY(4, Sqrt)
    UNARY(5, Rsqrt)
    UNARY(6, Relu)
    UNARY(7, Not)
  case 8:
    Neg(z, x, p.n);
    break;
  }
  store(z, zOut, p[ZCount]);
}

#define BINARY(Number, Name)                                                   \
  case Number:                                                                 \
    BELAY_ALL_FORMS(p, p.binary(), Name, (T), z, x, y);                        \
    break;
template <typename T>
__global__ __aicore__ void binary(GM_ADDR xIn, GM_ADDR yIn, GM_ADDR pIn,
                                  GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto y = load<T>(pipe, yIn, p[YCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  switch (p[Op]) {
    BINARY(0, Add)
    BINARY(1, Sub)
    BINARY(2, Mul)
    BINARY(3, Div)
    BINARY(4, Max)
    BINARY(5, Min)
    BINARY(6, And)
    BINARY(7, Or)
    BINARY(8, AddRelu)
    BINARY(9, SubRelu)
    BINARY(10, FusedMulAdd)
    BINARY(11, FusedMulAddRelu)
    BINARY(12, MulAddRelu)
  case 13:
    BELAY_ALL_FORMS(p, p.binary(), MulAddDst, (T, T), z, x, y);
    break;
  case 14: // the deprecated operators work on the destination's size
    z.SetSize(p.n);
    z = x + y;
    break;
  case 15:
    z.SetSize(p.n);
    z = x - y;
    break;
  case 16:
    z.SetSize(p.n);
    z = x * y;
    break;
  case 17:
    z.SetSize(p.n);
    z = x / y;
    break;
  case 18:
    z.SetSize(p.n);
    z = x & y;
    break;
  case 19:
    z.SetSize(p.n);
    z = x | y;
    break;
  case 20:
    Prelu(z, x, y, p.n);
    break;
  case 21:
    AbsSub(z, x, y, p.n);
    break;
  case 22:
    FusedExpSub(z, x, y, p.n);
    break;
  case 23:
    ShiftLeft(z, x, y, p.n);
    break;
  case 24:
    ShiftRight(z, x, y, p.n);
    break;
  }
  store(z, zOut, p[ZCount]);
}

/// Destination and sources of different types.
template <typename T, typename U>
__global__ __aicore__ void mixed(GM_ADDR xIn, GM_ADDR yIn, GM_ADDR pIn,
                                 GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<U>(pipe, xIn, p[XCount]);
  auto y = load<U>(pipe, yIn, p[YCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  switch (p[Op]) {
  case 0:
    BELAY_ALL_FORMS(p, p.binary(), MulAddDst, (T, U), z, x, y);
    break;
  case 1:
    BELAY_ALL_FORMS(p, p.binary(), AddReluCast, (T, U), z, x, y);
    break;
  case 2:
    BELAY_ALL_FORMS(p, p.binary(), SubReluCast, (T, U), z, x, y);
    break;
  case 3:
    BELAY_ALL_FORMS(p, p.binary(), MulCast, (T, U), z, x, y);
    break;
  case 4:
    SetDeqScale((half)0.25);
    BELAY_ALL_FORMS(p, p.binary(), AddDeqRelu, (T, U), z, x, y);
    break;
  case 5:
    BELAY_ALL_FORMS(p, p.unary(), Axpy, (T, U), z, x, y.GetValue(0));
    break;
  case 6:
    MulsCast(z, x, y.GetValue(0), p.n);
    break;
  case 7:
    ExpSub(z, x, y, p.n);
    break;
  }
  store(z, zOut, p[ZCount]);
}

#define SCALAR(Number, Name)                                                   \
  case Number:                                                                 \
    if (p.form == ByCounterRegister && p[YCount]) {                            \
      SetMaskCount();                                                          \
      SetVectorMask<T, MaskMode::COUNTER>(p.n);                                \
      Name<T, false>(z, x, s, 1);                                              \
      SetMaskNorm();                                                           \
      ResetMask();                                                             \
    } else                                                                     \
      BELAY_ALL_FORMS(p, p.unary(), Name, (T), z, x, s);                       \
    break;
template <typename T>
__global__ __aicore__ void scalar(GM_ADDR xIn, GM_ADDR yIn, GM_ADDR pIn,
                                  GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto y = load<T>(pipe, yIn, 32 / sizeof(T));
  auto z = load<T>(pipe, zOut, p[ZCount]);
  T s = y.GetValue(0);
  switch (p[Op]) {
    SCALAR(0, Adds)
    SCALAR(1, Muls)
    SCALAR(2, Maxs)
    SCALAR(3, Mins)
    SCALAR(4, LeakyRelu)
    SCALAR(5, ShiftLeft)
    SCALAR(6, ShiftRight)
    SCALAR(7, Subs)
    SCALAR(8, Divs)
    SCALAR(9, Ands)
    SCALAR(10, Ors)
  case 11:
    BELAY_ALL_FORMS(p, p.unary(), Axpy, (T, T), z, x, s);
    break;
  case 12:
    ShiftRight(z, x, s, p.n, p.repeat, p.unary(), true);
    break;
  case 13: // the scalar in front
    Subs(z, s, x, p.n);
    break;
  case 14:
    Divs(z, s, x, p.n);
    break;
#if __NPU_ARCH__ == 3510
  case 15: // the scalar as the first element of a tensor
    Adds(z, x, y[0], p.n);
    break;
#endif
  case 16: {
    static constexpr BinaryConfig first = {0};
    Subs<BinaryDefaultType, true, first>(z, y[0], x, p.n);
    break;
  }
  case 17: // another arithmetic type than the elements'
    Adds<T>(z, x, 2, p.n);
    Muls<T>(z, z, 3, p.n);
    break;
  }
  store(z, zOut, p[ZCount]);
}
