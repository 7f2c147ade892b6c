#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void two_phases(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> first, second;
  pipe.InitBufPool(first, 2 * N * sizeof(float));
  pipe.InitBufPool(second, 2 * N * sizeof(float), first);
  TBuf<TPosition::VECCALC> floatBuf, intBuf;
  first.InitBuffer(floatBuf, N * sizeof(float));
  second.InitBuffer(intBuf, N * sizeof(int32_t));
  LocalTensor<float> t = floatBuf.Get<float>();
  LocalTensor<int32_t> n = intBuf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm;
  GlobalTensor<int32_t> nGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  nGm.SetGlobalBuffer((__gm__ int32_t *)z + N, N);

  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopy(zGm, t, N);
  PipeBarrier<PIPE_ALL>(); // without: missing-sync
  Duplicate(n, int32_t(0), N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopy(nGm, n, N);
}
