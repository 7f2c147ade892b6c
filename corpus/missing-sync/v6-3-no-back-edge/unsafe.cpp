#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t ROUNDS = 4;

extern "C" __global__ __aicore__ void ramps(GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z);

  for (uint32_t i = 0; i < ROUNDS; ++i) {
    Duplicate(t, float(i), N); // site
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm[i * N], t, N); // other
  }
}
