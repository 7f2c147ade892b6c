// Calls that fill and move elements.
#include "../call.h"

using namespace AscendC;

enum Slot { Op, XCount, ZCount };

template <typename T>
__global__ __aicore__ void fill(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR zOut) {
  Numbers p(pIn);
  TPipe pipe;
  auto x = load<T>(pipe, xIn, p[XCount]);
  auto z = load<T>(pipe, zOut, p[ZCount]);
  uint16_t block = p.p[3];
  uint8_t rep = p.p[6];
  T s = x.GetValue(0);
  switch (p[Op]) {
  case 0:
    switch (p.form) {
    case ByCount:
      Duplicate(z, s, p.n);
      break;
    case ByMask:
      Duplicate(z, s, p.n, p.repeat, block, rep);
      break;
    case ByBits:
      Duplicate<T>(z, s, p.bits, p.repeat, block, rep);
      break;
    case ByRegister:
      SetVectorMask<T>(p.bits[1], p.bits[0]);
      Duplicate<T, false>(z, s, MASK_PLACEHOLDER, p.repeat, block, rep);
      ResetMask();
      break;
    case ByCounter:
      SetMaskCount();
      Duplicate(z, s, p.n, 1, block, rep);
      SetMaskNorm();
      ResetMask();
      break;
    case ByCounterRegister:
      SetMaskCount();
      SetVectorMask<T, MaskMode::COUNTER>(p.n);
      Duplicate<T, false>(z, s, MASK_PLACEHOLDER, 1, block, rep);
      SetMaskNorm();
      ResetMask();
      break;
    }
    break;
  case 1:
    if (p.form == ByCount)
      CreateVecIndex(z, s, p.n);
    else if (p.form == ByMask)
      CreateVecIndex(z, s, p.n, p.repeat, block, rep);
    else
      CreateVecIndex(z, s, p.bits, p.repeat, block, rep);
    break;
  case 2:
    Brcb(z, x, p.repeat, {block, rep});
    break;
  case 3: {
    CopyRepeatParams c(p.p[3], p.p[4], p.p[6], p.p[7]);
    if (p.form == ByCount)
      Copy(z, x, p.n);
    else if (p.form == ByMask)
      Copy(z, x, p.n, p.repeat, c);
    else if (p.form == ByBits)
      Copy(z, x, p.bits, p.repeat, c);
    else {
      // In counter mode Copy does its repeats, of n elements each.
      SetMaskCount();
      SetVectorMask<T, MaskMode::COUNTER>(p.n);
      Copy<T, false>(z, x, MASK_PLACEHOLDER, p.repeat, c);
      SetMaskNorm();
      ResetMask();
    }
    break;
  }
  case 4:
    Duplicate(z, x, p.n);
    break;
  case 5:
    Duplicate<T>(z, 0, p.n);
    break;
  }
  store(z, zOut, p[ZCount]);
}

template <typename T>
__global__ __aicore__ void weave(GM_ADDR xIn, GM_ADDR yIn, GM_ADDR aOut,
                                 GM_ADDR bOut, int32_t op, int32_t n,
                                 int32_t size) {
  TPipe pipe;
  auto x = load<T>(pipe, xIn, size);
  auto y = load<T>(pipe, yIn, size);
  auto a = load<T>(pipe, aOut, size);
  auto b = load<T>(pipe, bOut, size);
  if (op == 0)
    Interleave(a, b, x, y, n);
  else if (op == 1)
    DeInterleave(a, b, x, y, n);
  else if (op == 2)
    DeInterleave(a, b, x, n);
  else if constexpr (sizeof(T) == 4)
    Mull(a, b, x, y, n);
  store(a, aOut, size);
  store(b, bOut, size);
}
