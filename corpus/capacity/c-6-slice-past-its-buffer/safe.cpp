#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

// z = (x + 1) * x, with both intermediate tiles in one buffer
extern "C" __global__ __aicore__ void grow(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> work, keep;
  pipe.InitBuffer(work, 2 * N * sizeof(float));
  pipe.InitBuffer(keep, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> t = keep.Get<float>();
  LocalTensor<float> sum = work.GetWithOffset<float>(N, 0);
  LocalTensor<float> product = work.GetWithOffset<float>(N, N * sizeof(float));
  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(sum, t, 1.0f, N);
  PipeBarrier<PIPE_V>();
  Mul(product, sum, t, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, product, N);
}
