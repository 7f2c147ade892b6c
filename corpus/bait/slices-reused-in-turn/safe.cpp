#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 128, USED = 40;

// z = x + 6, of the first elements
extern "C" __global__ __aicore__ void add_six(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> work, keep;
  pipe.InitBuffer(work, 2 * N * sizeof(float));
  pipe.InitBuffer(keep, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, USED);

  LocalTensor<float> t = keep.Get<float>();
  LocalTensor<float> one = work.GetWithOffset<float>(N, 0);
  LocalTensor<float> two = work.GetWithOffset<float>(N, N / 2 * sizeof(float));
  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0); // without: flag-never-set
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(one, t, 1.0f, N);
  PipeBarrier<PIPE_V>(); // without: missing-barrier
  Adds(t, one, 1.0f, N);
  PipeBarrier<PIPE_V>();
  Adds(two, t, 1.0f, N); // over the second half of one
  PipeBarrier<PIPE_V>();
  Adds(t, two, 1.0f, N);
  PipeBarrier<PIPE_V>();
  Adds(one, t, 1.0f, USED);
  PipeBarrier<PIPE_V>();
  Adds(t, one, 1.0f, N);                 // the second half of t is of no use
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: flag-never-set
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, USED);
}
