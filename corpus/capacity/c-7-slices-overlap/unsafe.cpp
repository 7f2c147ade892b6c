#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

// z = (x + 1) * (x + 2)
extern "C" __global__ __aicore__ void product(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> work, keep;
  pipe.InitBuffer(work, 2 * N * sizeof(float));
  pipe.InitBuffer(keep, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> t = keep.Get<float>();
  LocalTensor<float> one = work.GetWithOffset<float>(N, 0);
  LocalTensor<float> two = work.GetWithOffset<float>(N, N);
  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(one, t, 1.0f, N);
  PipeBarrier<PIPE_V>();
  Adds(two, t, 2.0f, N); // other
  PipeBarrier<PIPE_V>();
  Mul(t, one, two, N); // site
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
