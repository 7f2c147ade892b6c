#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

extern "C" __global__ __aicore__ void by_reference(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(t, xGm, N);
  t(0) = t(1);
  t(0) += 1.0f;
  Muls(t, t, 2.0f, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
