#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t EDGE = 8;

extern "C" __global__ __aicore__ void frame(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 2 * N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>(), edge = t[N];
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(t, xGm, N);
  Duplicate(edge, -1.0f, EDGE);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopy(zGm, t, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
  PipeBarrier<PIPE_MTE3>();               // without: missing-barrier
  DataCopy(zGm, edge, EDGE);
  DataCopy(zGm[N - EDGE], edge, EDGE);
}
