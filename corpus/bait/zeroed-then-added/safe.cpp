#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void sum_rows(GM_ADDR x, GM_ADDR z) {
  uint32_t me = GetBlockIdx(), part = N / GetBlockNum();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  Duplicate(t, 0.0f, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopy(zGm[me * part], t, part);
  SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0); // without: flag-left-set
  SyncAll();                                 // without: race-between-cores
  DataCopy(t, xGm[me * N], N);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); // without: missing-sync
  SetAtomicAdd<float>();                     // without: race-between-cores
  DataCopy(zGm, t, N);
  SetAtomicNone(); // without: atomic-left-on
}
