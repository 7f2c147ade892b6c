// Mistakes of later iterations, and right loops.
#include "kernel_operator.h"
using namespace AscendC;

struct Work {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> xGm, zGm;
  LocalTensor<float> t;
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, uint32_t bytes) {
    pipe.InitBuffer(buffer, bytes);
    xGm.SetGlobalBuffer((__gm__ float *)x);
    zGm.SetGlobalBuffer((__gm__ float *)z);
    t = buffer.Get<float>();
  }
};

#if defined(WALK)
// From the ninth iteration on, past the end of the buffer.
extern "C" __global__ __aicore__ void walk(GM_ADDR x, GM_ADDR z, uint32_t n) {
  Work w;
  w.Init(x, z, 2048);
  for (uint32_t i = 0; i < n; ++i)
    Duplicate(w.t[i * 64], 1.0f, 64);
}
#elif defined(LAST)
// Half of the tensors of iteration LAST lies past the end of the buffer if that
// is 31.
extern "C" __global__ __aicore__ void last(GM_ADDR x, GM_ADDR z, uint32_t n) {
  Work w;
  w.Init(x, z, 2048);
  for (uint32_t i = 0; i < n; ++i) {
    if (i > LAST)
      break;
    Adds(w.t[i * 16], w.t[i * 16], 1.0f, 32);
    PipeBarrier<PIPE_V>();
  }
}
#elif defined(LATE)
// SKIPS(i) decides in which iterations nobody waits for the load.
extern "C" __global__ __aicore__ void late(GM_ADDR x, GM_ADDR z, uint32_t n) {
  Work w;
  w.Init(x, z, 256);
  for (uint32_t i = 0; i < n; ++i) {
    DataCopy(w.t, w.xGm[i * 64], 64);
    SetFlag<HardEvent::MTE2_V>(0);
    if (!(SKIPS))
      WaitFlag<HardEvent::MTE2_V>(0);
    Adds(w.t, w.t, 1.0f, 64);
    if (SKIPS)
      WaitFlag<HardEvent::MTE2_V>(0);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(w.zGm[i * 64], w.t, 64);
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
  }
}
#elif defined(LEAK)
// One iteration does not give its tensor back.
extern "C" __global__ __aicore__ void leak(GM_ADDR x, GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> in;
  pipe.InitBuffer(in, 2, 256);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  for (uint32_t i = 0; i < n; ++i) {
    LocalTensor<float> t = in.AllocTensor<float>();
    DataCopy(t, xGm[i * 64], 64);
    in.EnQue(t);
    t = in.DeQue<float>();
    DataCopy(zGm[i * 64], t, 64);
    if (!(SKIPS))
      in.FreeTensor(t);
  }
}
#endif
