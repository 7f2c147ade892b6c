#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 61;
constexpr uint32_t ROOM = 64;

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> inBuf, workBuf, sumBuf;
  pipe.InitBuffer(inBuf, ROOM * sizeof(float));
  pipe.InitBuffer(workBuf, ROOM * sizeof(float));
  pipe.InitBuffer(sumBuf, 8 * sizeof(float));
  LocalTensor<float> t = inBuf.Get<float>(), sum = sumBuf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, 8);

  DataCopyExtParams exact(1, N * sizeof(float), 0, 0, 0);
  DataCopyPadExtParams<float> padding(true, 0, ROOM - N, 0.0f);
  DataCopyPad(t, xGm, exact, padding);
  Duplicate(sum, 0.0f, 8);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  PipeBarrier<PIPE_V>();
  ReduceSum(sum, t, workBuf.Get<float>(), ROOM);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, sum, 8);
}
