#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t EDGE = 64;

// Zeros with ones at the end.
extern "C" __global__ __aicore__ void edge(GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> rowBuf, edgeBuf;
  pipe.InitBuffer(rowBuf, N * sizeof(float));
  pipe.InitBuffer(edgeBuf, EDGE * sizeof(float));
  LocalTensor<float> row = rowBuf.Get<float>(), ones = edgeBuf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  Duplicate(row, 0.0f, N);
  Duplicate(ones, 1.0f, EDGE);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, row, N);
  PipeBarrier<PIPE_MTE3>();
  DataCopy(zGm[N - EDGE], ones, EDGE);
}
