// Everything that moves elements within and between blocks, in one kernel.
// y comes in with a pattern, so that what a call leaves alone is visible.
#include "kernel_operator.h"

using namespace AscendC;

enum Slot {
  XCount,
  YCount,
  Op, // 0 to 2 TransDataTo5HD in its forms, 3 registers, 4 and up see Run
  Repeat,
  DstStride,
  SrcStride,
  DstHigh,
  SrcHigh,
  Same, // y is x
  N,
  C,
  H,
  W,
  Type,
  TmpBytes,
  Mode,
  Right,
  Form, // of VectorPadding: 0 count, 1 mask, 2 bits
  Mask,
  Bits,            // four words, low first
  List = Bits + 4, // sixteen starts of destinations, then of sources
};

template <typename T> class Calls {
public:
  __aicore__ inline Calls(GM_ADDR xIn, GM_ADDR pIn, GM_ADDR yIn) {
    p.SetGlobalBuffer((__gm__ int32_t *)pIn);
    xGm.SetGlobalBuffer((__gm__ T *)xIn, at(XCount));
    yGm.SetGlobalBuffer((__gm__ T *)yIn, at(YCount));
    pipe.InitBuffer(xBuf, at(XCount) * sizeof(T));
    pipe.InitBuffer(yBuf, at(YCount) * sizeof(T));
    pipe.InitBuffer(tmpBuf, at(TmpBytes));
    pipe.InitBuffer(listBuf, 256);
    x = xBuf.Get<T>();
    y = at(Same) ? x : yBuf.Get<T>();
    DataCopy(x, xGm, at(XCount));
    DataCopy(yBuf.Get<T>(), yGm, at(YCount));
    PipeBarrier<PIPE_ALL>();
  }
  __aicore__ inline void Run() {
    int32_t op = at(Op);
    if (op < 4) {
      Blocks(op);
    } else if (op == 4) {
      Square();
    } else if (op == 5) {
      Transpose(y, x, tmpBuf.Get<uint8_t>(),
                TransposeParamsExt(at(N), at(C), at(H), at(W),
                                   static_cast<TransposeType>(at(Type))));
    } else if (op == 6) {
      Pad();
    } else if constexpr (sizeof(T) == 2 && !std::is_same_v<T, bfloat16_t>) {
      vtranspose((__ubuf__ T *)y.GetPhyAddr(), (__ubuf__ T *)x.GetPhyAddr());
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, y, at(YCount));
  }

private:
  __aicore__ inline int32_t at(int32_t slot) { return p.GetValue(slot); }

  __aicore__ inline void Blocks(int32_t op) {
    TransDataTo5HDParams params(at(DstHigh), at(SrcHigh), at(Repeat),
                                at(DstStride), at(SrcStride));
    if (op == 0) {
      LocalTensor<T> to[16], from[16];
      for (int i = 0; i < 16; ++i) {
        to[i] = y[at(List + i)];
        from[i] = x[at(List + 16 + i)];
      }
      TransDataTo5HD<T>(to, from, params); // tensors
      return;
    }
    uint64_t to[16], from[16];
    for (int i = 0; i < 16; ++i) {
      to[i] = (uint64_t)y[at(List + i)].GetPhyAddr();
      from[i] = (uint64_t)x[at(List + 16 + i)].GetPhyAddr();
    }
    if (op == 1) {
      TransDataTo5HD<T>(to, from, params);
    } else if (op == 2) {
      auto dst = listBuf.Get<uint64_t>(), src = dst[16];
      for (int i = 0; i < 16; ++i) {
        dst.SetValue(i, to[i]);
        src.SetValue(i, from[i]);
      }
      PipeBarrier<PIPE_ALL>();
      TransDataTo5HD<T>(dst, src, params);
    } else {
      set_va_reg_sb(VA0, to);
      set_va_reg_sb(VA1, to + 8);
      set_va_reg_sb(VA2, from);
      set_va_reg_sb(VA3, from + 8);
      if constexpr (sizeof(T) == 1)
        scatter_vnchwconv_b8(VA0, VA2, at(Repeat), at(DstStride), at(SrcStride),
                             at(DstHigh), at(SrcHigh));
      else if constexpr (sizeof(T) == 2)
        scatter_vnchwconv_b16(VA0, VA2, at(Repeat), at(DstStride),
                              at(SrcStride));
      else
        scatter_vnchwconv_b32(VA0, VA2, at(Repeat), at(DstStride),
                              at(SrcStride));
    }
  }

  __aicore__ inline void Square() { Transpose(y, x); }

  __aicore__ inline void Pad() {
    uint64_t bits[2] = {word(Bits) | word(Bits + 1) << 32,
                        word(Bits + 2) | word(Bits + 3) << 32};
    uint8_t mode = at(Mode), repeat = at(Repeat);
    bool right = at(Right);
    UnaryRepeatParams strides(1, 2, at(DstStride), at(SrcStride));
    if (at(Form) == 0)
      VectorPadding(y, x, mode, right, (uint32_t)at(Mask));
    else if (at(Form) == 1)
      VectorPadding(y, x, mode, right, (uint64_t)at(Mask), repeat, strides);
    else
      VectorPadding(y, x, mode, right, bits, repeat, strides);
  }
  __aicore__ inline uint64_t word(int32_t slot) {
    return static_cast<uint32_t>(p.GetValue(slot));
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf, listBuf;
  GlobalTensor<int32_t> p;
  GlobalTensor<T> xGm, yGm;
  LocalTensor<T> x, y;
};

template <typename T>
__global__ __aicore__ void transpose(GM_ADDR x, GM_ADDR p, GM_ADDR y) {
  Calls<T> calls(x, p, y);
  calls.Run();
}

// src, weights and offsets in; the result in y.
extern "C" __global__ __aicore__ void
interpolate(GM_ADDR src, GM_ADDR weights, GM_ADDR offsets, GM_ADDR y,
            int32_t srcCount, int32_t weightCount, int32_t offsetCount,
            int32_t yCount, int32_t mask, int32_t bits, int32_t h, int32_t v,
            int32_t perBlock, int32_t blockStride, int32_t step,
            int32_t tmpBytes) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> srcBuf, weightBuf, offsetBuf, yBuf, tmpBuf;
  GlobalTensor<half> srcGm, weightGm, yGm;
  GlobalTensor<uint32_t> offsetGm;
  srcGm.SetGlobalBuffer((__gm__ half *)src, srcCount);
  weightGm.SetGlobalBuffer((__gm__ half *)weights, weightCount);
  offsetGm.SetGlobalBuffer((__gm__ uint32_t *)offsets, offsetCount);
  yGm.SetGlobalBuffer((__gm__ half *)y, yCount);
  pipe.InitBuffer(srcBuf, srcCount * 2);
  pipe.InitBuffer(weightBuf, weightCount * 2);
  pipe.InitBuffer(offsetBuf, offsetCount * 4);
  pipe.InitBuffer(yBuf, yCount * 2);
  pipe.InitBuffer(tmpBuf, tmpBytes);
  DataCopy(srcBuf.Get<half>(), srcGm, srcCount);
  DataCopy(weightBuf.Get<half>(), weightGm, weightCount);
  DataCopy(offsetBuf.Get<uint32_t>(), offsetGm, offsetCount);
  DataCopy(yBuf.Get<half>(), yGm, yCount);
  PipeBarrier<PIPE_ALL>();
  uint64_t words[2] = {(uint64_t)(uint32_t)bits, (uint64_t)(uint32_t)bits};
  if (bits)
    BilinearInterpolation(yBuf.Get<half>(), srcBuf.Get<half>(),
                          offsetBuf.Get<uint32_t>(), weightBuf.Get<half>(),
                          words, h, perBlock, blockStride, step, v,
                          tmpBuf.Get<uint8_t>());
  else
    BilinearInterpolation(yBuf.Get<half>(), srcBuf.Get<half>(),
                          offsetBuf.Get<uint32_t>(), weightBuf.Get<half>(),
                          (uint64_t)mask, h, perBlock, blockStride, step, v,
                          tmpBuf.Get<uint8_t>());
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, yBuf.Get<half>(), yCount);
}
