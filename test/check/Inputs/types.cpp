// Types that an instruction does not have, on one architecture or on all.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

template <typename T> class Pair {
public:
  __aicore__ inline Pair(GM_ADDR x, GM_ADDR y) {
    in.SetGlobalBuffer((__gm__ T *)x, N);
    out.SetGlobalBuffer((__gm__ T *)y, N);
    pipe.InitBuffer(source, N * 8);
    pipe.InitBuffer(result, N * 8);
    pipe.InitBuffer(work, N * 8);
    a = source.Get<T>();
    b = result.Get<T>();
    DataCopy(a, in, N);
    PipeBarrier<PIPE_ALL>();
  }
  __aicore__ inline void Store() {
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, b, N); // line 22
  }
  LocalTensor<T> a, b;
  TBuf<TPosition::VECCALC> source, result, work;
  GlobalTensor<T> in, out;
  TPipe pipe;
};

extern "C" __global__ __aicore__ void right(GM_ADDR x, GM_ADDR y) {
  Pair<int32_t> p(x, y);
  Add(p.b, p.a, p.a, N);
  PipeBarrier<PIPE_V>();
  Cast(p.b.ReinterpretCast<float>(), p.b, RoundMode::CAST_RINT, N);
  p.Store();
}

extern "C" __global__ __aicore__ void bytes(GM_ADDR x, GM_ADDR y) {
  Pair<int8_t> p(x, y);
  Add(p.b, p.a, p.a, N); // line 40
  p.Store();
}

extern "C" __global__ __aicore__ void quotient(GM_ADDR x, GM_ADDR y) {
  Pair<int32_t> p(x, y);
  Div(p.b, p.a, p.a, N); // line 46
  p.Store();
}

extern "C" __global__ __aicore__ void summed(GM_ADDR x, GM_ADDR y) {
  Pair<int32_t> p(x, y);
  Duplicate(p.b, 0, N);
  WholeReduceSum(p.b, p.a, 64, 4, 1, 1, 8); // line 53
  p.Store();
}

extern "C" __global__ __aicore__ void narrowed(GM_ADDR x, GM_ADDR y) {
  Pair<float> p(x, y);
  Duplicate(p.b, 0.0f, N);
  PipeBarrier<PIPE_V>();
  Cast(p.b.ReinterpretCast<int8_t>(), p.a, RoundMode::CAST_RINT, N); // line 61
  p.Store();
}

extern "C" __global__ __aicore__ void rounded(GM_ADDR x, GM_ADDR y) {
  Pair<half> p(x, y);
  Duplicate(p.b, half(0.0f), N);
  PipeBarrier<PIPE_V>();
  Cast(p.b.ReinterpretCast<float>(), p.a, RoundMode::CAST_CEIL, N / 2);
  p.Store();
}

extern "C" __global__ __aicore__ void compared(GM_ADDR x, GM_ADDR y) {
  Pair<int16_t> p(x, y);
  Duplicate(p.b, int16_t(0), N);
  PipeBarrier<PIPE_V>();
  Compare(p.work.Get<uint8_t>(), p.a, p.a, CMPMODE::EQ, N); // line 77
  p.Store();
}

// What atomic copies add has a type of its own.
template <typename Added> __aicore__ inline void add(GM_ADDR x, GM_ADDR y) {
  Pair<float> p(x, y);
  Adds(p.b, p.a, 1.0f, N);
  SetAtomicAdd<Added>();
  p.Store();
  SetAtomicNone();
}
extern "C" __global__ __aicore__ void adds_float(GM_ADDR x, GM_ADDR y) {
  add<float>(x, y);
}
extern "C" __global__ __aicore__ void adds_other(GM_ADDR x, GM_ADDR y) {
  add<int32_t>(x, y);
}

// The instruction of two vectors has the same name, and is not there.
extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y) {
  Pair<int32_t> p(x, y);
  ShiftLeft(p.b, p.a, 2, N);
  PipeBarrier<PIPE_V>();
  ShiftRight(p.b, p.b, 1, N);
  p.Store();
}
