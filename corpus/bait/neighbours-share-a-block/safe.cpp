#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 5;

extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR z) {
  uint32_t me = GetBlockIdx();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32);
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  DataCopyExtParams part(1, N * sizeof(float), 0, 0, 0);
  DataCopyPad(t, xGm[me * N], part, {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); // without: missing-sync
  Muls(t, t, 0.5f, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopyPad(zGm[me * N], t, part);
}
