// Compare and Select in all their forms; z comes in with a pattern.
#include "../call.h"

using namespace AscendC;

enum Slot { Mode, XCount, YCount, ZCount, Kind };

/// Kind: 0 Compare, 1 Compares, 2 CompareScalar, 3 into the register, 4 the
/// operators, 5 the scalar in front, 6 the scalar in a tensor.
template <typename T>
__global__ __aicore__ void compare(GM_ADDR xIn, GM_ADDR yIn, GM_ADDR pIn,
                                   GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto y = load<T>(pipe, yIn, p[YCount]);
  auto z = load<uint8_t>(pipe, zOut, p[ZCount]);
  auto mode = static_cast<CMPMODE>(p[Mode]);
  T s = y.GetValue(0);
  switch (p[Kind]) {
  case 0:
    BELAY_ALL_FORMS(p, p.binary(), Compare, (T, uint8_t), z, x, y, mode);
    break;
  case 1:
    BELAY_ALL_FORMS(p, p.unary(), Compares, (T, uint8_t), z, x, s, mode);
    break;
  case 2:
    BELAY_ALL_FORMS(p, p.unary(), CompareScalar, (T, uint8_t), z, x, s, mode);
    break;
  case 3:
    if (p.form == ByMask)
      Compare(x, y, mode, p.n, p.binary());
    else
      Compare(x, y, mode, p.bits, p.binary());
    GetCmpMask(z);
    break;
  case 4:
    x.SetSize(p.n);
    if (mode == CMPMODE::LT)
      z = x < y;
    else if (mode == CMPMODE::GT)
      z = x > y;
    else if (mode == CMPMODE::LE)
      z = x <= y;
    else if (mode == CMPMODE::GE)
      z = x >= y;
    else if (mode == CMPMODE::EQ)
      z = x == y;
    else
      z = x != y;
    break;
#if __NPU_ARCH__ == 3510
  case 5:
    Compares(z, s, x, mode, p.n);
    break;
  case 6:
    CompareScalar(z, x, y[0], mode, p.n);
    break;
#endif
  }
  store(z, zOut, p[ZCount]);
}

/// Mode: SELMODE. Kind: 0 two tensors, 1 a scalar, 2 the mask registers, 3 the
/// scalar in front, 4 the scalar in a tensor.
template <typename T>
__global__ __aicore__ void select(GM_ADDR xIn, GM_ADDR yIn, GM_ADDR selIn,
                                  GM_ADDR pIn, GM_ADDR zOut, int32_t selBytes) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto y = load<T>(pipe, yIn, p[YCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  auto sel = load<uint8_t>(pipe, selIn, selBytes);
  auto mode = static_cast<SELMODE>(p[Mode]);
  T s = y.GetValue(0);
  switch (p[Kind]) {
  case 0:
    BELAY_ALL_FORMS(p, p.binary(), Select, (T, uint8_t), z, sel, x, y, mode);
    break;
  case 1:
    BELAY_ALL_FORMS(p, p.binary(), Select, (T, uint8_t), z, sel, x, s, mode);
    break;
  case 2: {
    auto params = p.binary();
    if (mode == SELMODE::VSEL_CMPMASK_SPR) {
      SetCmpMask(sel);
      SetVectorMask<T>(p.n);
      Select<T, SELMODE::VSEL_CMPMASK_SPR>(z, x, y, p.repeat, params);
    } else if (mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) {
      SetCmpMask(y);
      SetVectorMask<T>(p.n);
      Select(z, sel, x, p.repeat, params);
    } else {
      TBuf<TPosition::VECCALC> buf;
      pipe.InitBuffer(buf, 256);
      auto address = buf.Get<uint32_t>();
      auto low = static_cast<uint32_t>(sel.GetPhyAddr());
      SetVectorMask<uint32_t>(32);
      Duplicate<uint32_t, false>(address, low, MASK_PLACEHOLDER, 1, 1, 8);
      PipeBarrier<PIPE_V>();
      SetCmpMask<int64_t>(address.template ReinterpretCast<int64_t>());
      SetVectorMask<T>(p.n);
      Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(z, x, y, p.repeat, params);
    }
    ResetMask();
    break;
  }
  case 3: {
    static constexpr BinaryConfig first = {0};
    Select<BinaryDefaultType, uint8_t, first>(z, sel, y[0], x, mode, p.n);
    break;
  }
  case 4: {
    static constexpr BinaryConfig second = {1};
    Select<BinaryDefaultType, uint8_t, second>(z, sel, x, y[0], mode, p.n);
    break;
  }
  }
  store(z, zOut, p[ZCount]);
}
