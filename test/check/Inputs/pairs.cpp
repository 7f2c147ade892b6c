// Right kernels and their wrong twins (WRONG), which differ in one number.
#include "kernel_operator.h"
using namespace AscendC;

#ifndef WRONG
#define WRONG 0
#endif

template <typename T> struct Work {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a, b, c, work;
  GlobalTensor<T> xGm, zGm;
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, uint32_t n, uint32_t bytes,
                              uint32_t workBytes) {
    xGm.SetGlobalBuffer((__gm__ T *)x, n);
    zGm.SetGlobalBuffer((__gm__ T *)z, n);
    pipe.InitBuffer(a, bytes);
    pipe.InitBuffer(b, bytes);
    pipe.InitBuffer(c, bytes);
    pipe.InitBuffer(work, workBytes);
  }
  __aicore__ inline void Load(uint32_t count) {
    DataCopyPad(a.Get<T>(), xGm, {1, uint32_t(count * sizeof(T)), 0, 0, 0},
                {false, 0, 0, 0});
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
  }
  __aicore__ inline void Store(uint32_t count) {
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopyPad(zGm, b.Get<T>(), {1, uint32_t(count * sizeof(T)), 0, 0, 0});
  }
};

extern "C" __global__ __aicore__ void kernel(GM_ADDR x, GM_ADDR z, uint32_t n) {
  if (n == 0 || n > 1024)
    return;
#if defined(TOTAL) || defined(MAXIMUM) || defined(INDEX)
  // A work buffer for the results of all repeats, or of half of them.
  Work<float> w;
#if defined(TOTAL)
  w.Init(x, z, n, 4096, WRONG ? 32 : 64);
  w.Load(n);
  ReduceSum(w.b.Get<float>(), w.a.Get<float>(), w.work.Get<float>(), n);
#elif defined(MAXIMUM)
  w.Init(x, z, n, 4096, WRONG ? 64 : 128);
  w.Load(n);
  ReduceMax(w.b.Get<float>(), w.a.Get<float>(), w.work.Get<float>(), n);
#else
  w.Init(x, z, n, 4096, WRONG ? 128 : 192);
  w.Load(n);
  ReduceMax(w.b.Get<float>(), w.a.Get<float>(), w.work.Get<float>(), n, true);
#endif
  w.Store(1);
#elif defined(MATH)
  // Tensors that have n elements, or fewer for some n.
  Work<ELEMENT> w;
  w.Init(x, z, n, WRONG ? 1000 * sizeof(ELEMENT) : 4096, 32);
  w.Load(WRONG ? 8 : n);
  Tanh(w.b.Get<ELEMENT>(), w.a.Get<ELEMENT>(), n);
  w.Store(WRONG ? 8 : n);
#elif defined(MASK)
  // A bit for each element of whole repeats.
  Work<float> w;
  uint32_t lanes = (n + 63) / 64 * 64;
  w.Init(x, z, n, 4096, WRONG ? 96 : 128);
  Duplicate(w.a.Get<float>(), 0.0f, 1024);
  PipeBarrier<PIPE_V>();
  Compare(w.work.Get<uint8_t>(), w.a.Get<float>(), w.a.Get<float>(),
          CMPMODE::GT, lanes);
#elif defined(WHOLE_BLOCKS)
  // A count that is cut down to whole blocks: the rest is not stored, or is.
  Work<half> w;
  w.Init(x, z, n, 2048, 32);
  DataCopy(w.a.Get<half>(), w.xGm, n);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  Add(w.b.Get<half>(), w.a.Get<half>(), w.a.Get<half>(), n);
  PipeBarrier<PIPE_V>();
  Muls(w.b.Get<half>(), w.b.Get<half>(), half(2), n);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
#if WRONG
  DataCopyPad(w.zGm, w.b.Get<half>(), {1, uint32_t(n * sizeof(half)), 0, 0, 0});
#else
  DataCopy(w.zGm, w.b.Get<half>(), n);
#endif
#elif defined(SECOND_SOURCE)
  // Both sources have whole blocks, or one of them one element less.
  Work<half> w;
  w.Init(x, z, n, 2048, 32);
  DataCopy(w.a.Get<half>(), w.xGm, n);
  DataCopy(w.c.Get<half>(), w.xGm, WRONG ? n - 1 : n);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  Add(w.b.Get<half>(), w.a.Get<half>(), w.c.Get<half>(), n);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(w.zGm, w.b.Get<half>(), n);
#elif defined(WIDENED)
  // From half to float: all elements are loaded, or whole blocks of them.
  Work<half> w;
  w.Init(x, z, n, 4096, 32);
  GlobalTensor<float> wide;
  wide.SetGlobalBuffer((__gm__ float *)z, n);
#if WRONG
  DataCopy(w.a.Get<half>(), w.xGm, n);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
#else
  w.Load(n);
#endif
  Cast(w.b.Get<float>(), w.a.Get<half>(), RoundMode::CAST_NONE, n);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(wide, w.b.Get<float>(),
              {1, uint32_t(n * sizeof(float)), 0, 0, 0});
#elif defined(LOOP)
  // The last tile has what is left, or is stored in full.
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<ELEMENT> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ ELEMENT *)x, n);
  zGm.SetGlobalBuffer((__gm__ ELEMENT *)z, n + 64);
  pipe.InitBuffer(in, 2, 64 * sizeof(ELEMENT));
  pipe.InitBuffer(out, 2, 64 * sizeof(ELEMENT));
  for (uint32_t at = 0; at < n; at += 64) {
    uint32_t count = n - at < 64 ? n - at : 64;
    LocalTensor<ELEMENT> t = in.AllocTensor<ELEMENT>();
    DataCopyPad(t, xGm[at], {1, uint32_t(count * sizeof(ELEMENT)), 0, 0, 0},
                {false, 0, 0, 0});
    in.EnQue(t);
    t = in.DeQue<ELEMENT>();
    LocalTensor<ELEMENT> r = out.AllocTensor<ELEMENT>();
    Adds(r, t, ELEMENT(1), count);
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<ELEMENT>();
    uint32_t stored = WRONG ? 64 : count;
    DataCopyPad(zGm[at], r, {1, uint32_t(stored * sizeof(ELEMENT)), 0, 0, 0});
    out.FreeTensor(r);
  }
#endif
}
