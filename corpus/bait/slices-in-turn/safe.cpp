#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

// z = x * 2 + 3
extern "C" __global__ __aicore__ void in_turn(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> work, keep;
  pipe.InitBuffer(work, 2 * N * sizeof(float));
  pipe.InitBuffer(keep, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> t = keep.Get<float>();
  LocalTensor<float> early = work.GetWithOffset<float>(N, 0);
  LocalTensor<float> late = work.GetWithOffset<float>(N, N / 2 * sizeof(float));
  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  for (uint32_t i = 0; i < 2; ++i) {
    Muls(early, t, i ? 1.0f : 2.0f, N);
    PipeBarrier<PIPE_V>();
    Adds(t, early, 1.0f, N);
    PipeBarrier<PIPE_V>();
    Adds(late, t, i ? 1.0f : 0.0f, N); // early is no longer needed
    PipeBarrier<PIPE_V>();
    Adds(t, late, 0.0f, N);
    PipeBarrier<PIPE_V>();
  }
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
