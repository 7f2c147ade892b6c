// Gather, Scatter, Gatherb, GatherMask in one kernel. y comes in with a
// pattern, so that what a call leaves alone is visible; the count that
// GatherMask returns goes to n.
#include "kernel_operator.h"

using namespace AscendC;

enum Slot {
  XCount,
  YCount,
  OffsetCount,
  Op,   // 0 Gather, 1 Scatter, 2 Gatherb, 3 GatherMask, 4 with a tensor
  Form, // 0 count, 1 mask, 2 bits
  Mask,
  Bits, // four words, low first
  Repeat = Bits + 4,
  DstStride,
  BlockStride,
  SrcStride,
  PatternStride,
  Base,
  BuiltIn,
  Counter,
  SameBuffer,
  XAt, // where the source starts
};

template <typename T> struct PatternOf {
  using type = std::conditional_t<
      sizeof(T) == 1, uint8_t,
      std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>;
};

template <typename T> class Calls {
public:
  __aicore__ inline Calls(GM_ADDR xIn, GM_ADDR offsetIn, GM_ADDR pIn,
                          GM_ADDR yIn, GM_ADDR nIn) {
    p.SetGlobalBuffer((__gm__ int32_t *)pIn);
    xGm.SetGlobalBuffer((__gm__ T *)xIn, at(XCount));
    yGm.SetGlobalBuffer((__gm__ T *)yIn, at(YCount));
    offsetGm.SetGlobalBuffer((__gm__ uint32_t *)offsetIn, at(OffsetCount));
    nGm.SetGlobalBuffer((__gm__ uint64_t *)nIn, 1);
    pipe.InitBuffer(xBuf, at(XCount) * sizeof(T));
    pipe.InitBuffer(yBuf, at(YCount) * sizeof(T));
    pipe.InitBuffer(offsetBuf, at(OffsetCount) * sizeof(uint32_t));
    x = xBuf.Get<T>()[at(XAt)];
    y = at(SameBuffer) ? x : yBuf.Get<T>();
    offset = offsetBuf.Get<uint32_t>();
    DataCopy(xBuf.Get<T>(), xGm, at(XCount));
    DataCopy(yBuf.Get<T>(), yGm, at(YCount));
    DataCopy(offset, offsetGm, at(OffsetCount));
    PipeBarrier<PIPE_ALL>();
    bits[0] = word(Bits) | word(Bits + 1) << 32;
    bits[1] = word(Bits + 2) | word(Bits + 3) << 32;
  }
  __aicore__ inline void Run() {
    uint64_t kept = 0;
    switch (at(Op)) {
    case 0:
      DoGather();
      break;
    case 1:
      DoScatter();
      break;
    case 2:
      Gatherb(y, x, offset, at(Repeat),
              GatherRepeatParams(at(BlockStride), at(DstStride)));
      break;
    default:
      kept = DoGatherMask();
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, y, at(YCount));
    nGm.SetValue(0, kept);
  }

private:
  __aicore__ inline int32_t at(int32_t slot) { return p.GetValue(slot); }
  __aicore__ inline uint64_t word(int32_t slot) {
    return static_cast<uint32_t>(p.GetValue(slot));
  }

  __aicore__ inline void DoGather() {
    uint32_t base = at(Base);
    uint8_t repeat = at(Repeat);
    if (at(Form) == 0)
      Gather(y, x, offset, base, (uint32_t)at(Mask)); // count form
    else if (at(Form) == 1)
      Gather(y, x, offset, base, (uint64_t)at(Mask), repeat, at(DstStride));
    else
      Gather(y, x, offset, base, bits, repeat, at(DstStride));
  }

  __aicore__ inline void DoScatter() {
    uint32_t base = at(Base);
    uint8_t repeat = at(Repeat);
    if (at(Form) == 0)
      Scatter(y, x, offset, base, (uint32_t)at(Mask)); // scatter
    else if (at(Form) == 1)
      Scatter(y, x, offset, base, (uint64_t)at(Mask), repeat, at(SrcStride));
    else
      Scatter(y, x, offset, base, bits, repeat, at(SrcStride));
  }

  __aicore__ inline uint64_t DoGatherMask() {
    uint64_t kept = 0;
    GatherMaskParams params(at(BlockStride), at(Repeat), at(SrcStride),
                            at(PatternStride));
    if (at(Op) == 3) {
      GatherMask(y, x, (uint8_t)at(BuiltIn), at(Counter), at(Mask), params,
                 kept);
    } else if (at(Op) == 4) {
      using U = typename PatternOf<T>::type;
      GatherMask(y, x, offset.ReinterpretCast<U>(), at(Counter), at(Mask),
                 params, kept);
    } else { // a pattern of the wrong type
      GatherMask(y, x, offset.ReinterpretCast<int64_t>(), at(Counter), at(Mask),
                 params, kept);
    }
    return kept;
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, offsetBuf;
  GlobalTensor<int32_t> p;
  GlobalTensor<T> xGm, yGm;
  GlobalTensor<uint32_t> offsetGm;
  GlobalTensor<uint64_t> nGm;
  LocalTensor<T> x, y;
  LocalTensor<uint32_t> offset;
  uint64_t bits[2];
};

template <typename T>
__global__ __aicore__ void gather(GM_ADDR x, GM_ADDR offset, GM_ADDR p,
                                  GM_ADDR y, GM_ADDR n) {
  Calls<T> calls(x, offset, p, y, n);
  calls.Run();
}

// After GatherMask the unit is in normal mode, whatever it was before.
extern "C" __global__ __aicore__ void mode_after(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 128);
  yGm.SetGlobalBuffer((__gm__ float *)y, 128);
  pipe.InitBuffer(xBuf, 512);
  pipe.InitBuffer(yBuf, 512);
  auto in = xBuf.Get<float>(), out = yBuf.Get<float>();
  DataCopy(in, xGm, 128);
  DataCopy(out, yGm, 128);
  PipeBarrier<PIPE_ALL>();
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, 100);
  uint64_t kept = 0;
  GatherMask(in, in, 7, false, 0, {1, 1, 8, 0}, kept);
  PipeBarrier<PIPE_ALL>();
  // In counter mode this would be 100 elements; in normal mode the bits of 100.
  Adds<float, false>(out, in, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  ResetMask();
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, out, 128);
}
