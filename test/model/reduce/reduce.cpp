// Every reduction in one kernel. p holds the numbers of a call; y comes in
// with a pattern, so that what a call leaves alone is visible.
#include "kernel_operator.h"

using namespace AscendC;

enum Slot {
  XCount,
  YCount,
  Op,
  Form, // 0 count, 1 mask, 2 bits, 3 the mask register
  Mask,
  Bits, // four words, low first
  Repeat = Bits + 4,
  DstStride,
  BlockStride,
  SrcStride,
  Order,
  CalIndex,
  TmpCount,
  DstAt,
  TmpIsSource, // 2: and it is what comes out
};

// A call in its three forms; Rest follows the mask.
#define FORMS(Name, Last, ...)                                                 \
  if (form == 1)                                                               \
    Name(y, x, __VA_ARGS__ lanes, Last);                                       \
  else if (form == 2)                                                          \
    Name(y, x, __VA_ARGS__ bits, Last);                                        \
  else                                                                         \
    return false;                                                              \
  return true

template <typename T> class Calls {
public:
  __aicore__ inline Calls(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR yIn) {
    p.SetGlobalBuffer((__gm__ int32_t *)pIn);
    xGm.SetGlobalBuffer((__gm__ T *)xIn, at(XCount));
    yGm.SetGlobalBuffer((__gm__ T *)yIn, at(YCount));
    pipe.InitBuffer(xBuf, at(XCount) * sizeof(T));
    pipe.InitBuffer(yBuf, at(YCount) * sizeof(T));
    pipe.InitBuffer(tmpBuf, at(TmpCount) * sizeof(T));
    x = xBuf.Get<T>();
    y = yBuf.Get<T>()[at(DstAt)];
    tmp = at(TmpIsSource) ? x : tmpBuf.Get<T>();
    DataCopy(x, xGm, at(XCount));
    DataCopy(yBuf.Get<T>(), yGm, at(YCount));
    PipeBarrier<PIPE_ALL>();
    form = at(Form);
    lanes = at(Mask);
    repeat = at(Repeat);
    bits[0] = word(Bits) | word(Bits + 1) << 32;
    bits[1] = word(Bits + 2) | word(Bits + 3) << 32;
    order = static_cast<ReduceOrder>(at(Order));
  }
  __aicore__ inline void Run() {
    bool known = at(Op) < 10   ? Full(at(Op))
                 : at(Op) < 20 ? Old(at(Op))
                               : New(at(Op));
    if (!known) // y stays as it came, and the test sees that
      return;
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, at(TmpIsSource) == 2 ? x : yBuf.Get<T>(), at(YCount));
  }

private:
  __aicore__ inline int32_t at(int32_t slot) { return p.GetValue(slot); }
  __aicore__ inline uint64_t word(int32_t slot) {
    return static_cast<uint32_t>(p.GetValue(slot));
  }

  __aicore__ inline bool Full(int32_t op) {
    bool index = at(CalIndex);
    if (op == 3) { // count and mask from the register
      SetMaskCount();
      SetVectorMask<T, MaskMode::COUNTER>(0, at(Mask));
      ReduceSum<T, false>(y, x, tmp, 1);
      SetMaskNorm();
      ResetMask();
      return true;
    }
    if (form == 0) {
      if (op == 0)
        ReduceSum<T>(y, x, tmp, lanes); // count form
      else if (op == 1)
        ReduceMax<T>(y, x, tmp, lanes, index);
      else
        ReduceMin<T>(y, x, tmp, lanes, index);
      return true;
    }
    int32_t stride = at(SrcStride);
    if (form == 1) {
      if (op == 0)
        ReduceSum<T>(y, x, tmp, lanes, repeat, stride); // mask form
      else if (op == 1)
        ReduceMax<T>(y, x, tmp, lanes, repeat, stride, index);
      else
        ReduceMin<T>(y, x, tmp, lanes, repeat, stride, index);
      return true;
    }
    if (op == 0)
      ReduceSum<T>(y, x, tmp, bits, repeat, stride);
    else if (op == 1)
      ReduceMax<T>(y, x, tmp, bits, repeat, stride, index);
    else
      ReduceMin<T>(y, x, tmp, bits, repeat, stride, index);
    return true;
  }

  __aicore__ inline bool Old(int32_t op) {
    int32_t d = at(DstStride), b = at(BlockStride), s = at(SrcStride);
#define STRIDES repeat, d, b, s
#define LATE d, b, s
#define COMMA ,
    if (form == 3) {
      SetVectorMask<T, MaskMode::NORMAL>(bits[1], bits[0]);
      if (op == 10)
        WholeReduceSum<T, false>(y, x, MASK_PLACEHOLDER, STRIDES);
      else if (op == 11)
        WholeReduceMax<T, false>(y, x, MASK_PLACEHOLDER, STRIDES, order);
      else
        return false;
      ResetMask();
      return true;
    }
    switch (op) {
    case 10:
      FORMS(WholeReduceSum<T>, STRIDES, );
    case 11:
      FORMS(WholeReduceMax<T>, STRIDES COMMA order, );
    case 12:
      FORMS(WholeReduceMin<T>, STRIDES COMMA order, );
    case 13:
      FORMS(BlockReduceSum<T>, LATE, repeat COMMA);
    case 14:
      FORMS(BlockReduceMax<T>, LATE, repeat COMMA);
    case 15:
      FORMS(BlockReduceMin<T>, LATE, repeat COMMA);
    case 16:
      FORMS(PairReduceSum<T>, LATE, repeat COMMA);
    case 17:
      RepeatReduceSum<T>(y, x, repeat, lanes, 1, b, d, s);
      return true;
    default:
      return false;
    }
  }

  __aicore__ inline bool New(int32_t op) {
    int32_t d = at(DstStride), b = at(BlockStride), s = at(SrcStride);
    constexpr auto SUM = ReduceType::SUM;
    constexpr auto MAX = ReduceType::MAX;
    constexpr auto MIN = ReduceType::MIN;
    switch (op) {
    case 20:
      FORMS((ReduceRepeat<SUM, T>), STRIDES, );
    case 21:
      FORMS((ReduceRepeat<MAX, T>), STRIDES COMMA order, );
    case 22:
      FORMS((ReduceRepeat<MIN, T>), STRIDES COMMA order, );
    case 23:
      FORMS((ReduceDataBlock<SUM, T>), STRIDES, );
    case 24:
      FORMS((ReduceDataBlock<MAX, T>), STRIDES, );
    case 25:
      FORMS((ReduceDataBlock<MIN, T>), STRIDES, );
    case 26:
      FORMS((ReducePairElem<SUM, T>), STRIDES, );
    default:
      return false;
    }
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
  GlobalTensor<int32_t> p;
  GlobalTensor<T> xGm, yGm;
  LocalTensor<T> x, y, tmp;
  int32_t form, lanes, repeat;
  uint64_t bits[2];
  ReduceOrder order;
};

template <typename T>
__global__ __aicore__ void reduce(GM_ADDR x, GM_ADDR p, GM_ADDR y) {
  Calls<T> calls(x, p, y);
  calls.Run();
}
