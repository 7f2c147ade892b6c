#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t SOURCE = 2 * N; // after the floats

extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float) + N * sizeof(half));
  LocalTensor<half> h = buf.Get<half>()[SOURCE];
  LocalTensor<float> f = buf.Get<float>();
  GlobalTensor<half> xGm;
  GlobalTensor<float> zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  DataCopy(h, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Cast(f, h, RoundMode::CAST_NONE, N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, f, N);
}
