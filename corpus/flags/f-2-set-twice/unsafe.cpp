#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr event_t X_LOADED = EVENT_ID0;
constexpr event_t Y_LOADED = EVENT_ID0;

extern "C" __global__ __aicore__ void product(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> aBuf, bBuf;
  pipe.InitBuffer(aBuf, N * sizeof(float));
  pipe.InitBuffer(bBuf, N * sizeof(float));
  LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(a, xGm, N);
  SetFlag<HardEvent::MTE2_V>(X_LOADED); // other
  DataCopy(b, yGm, N);
  SetFlag<HardEvent::MTE2_V>(Y_LOADED); // site
  WaitFlag<HardEvent::MTE2_V>(X_LOADED);
  WaitFlag<HardEvent::MTE2_V>(Y_LOADED);
  Mul(a, a, b, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, a, N);
}
