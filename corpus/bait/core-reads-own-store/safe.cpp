#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void spill(GM_ADDR x, GM_ADDR z,
                                            GM_ADDR workspace) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  uint32_t at = GetBlockIdx() * N;
  GlobalTensor<float> xGm, zGm, saved;
  xGm.SetGlobalBuffer((__gm__ float *)x + at, N);
  zGm.SetGlobalBuffer((__gm__ float *)z + at, N);
  saved.SetGlobalBuffer((__gm__ float *)workspace + at, N);

  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(saved, t, N);
  SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
  Duplicate(t, 0.0f, N);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  DataCopy(t, saved, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(t, t, 1.0f, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
