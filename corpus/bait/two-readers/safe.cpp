#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

// y = x, z = -x
extern "C" __global__ __aicore__ void copy_and_negate(GM_ADDR x, GM_ADDR y,
                                                      GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> inBuf, outBuf;
  pipe.InitBuffer(inBuf, N * sizeof(float));
  pipe.InitBuffer(outBuf, N * sizeof(float));
  LocalTensor<float> a = inBuf.Get<float>(), b = outBuf.Get<float>();
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(a, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  DataCopy(yGm, a, N);
  Muls(b, a, -1.0f, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, b, N);
}
