#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

extern "C" __global__ __aicore__ void congruential(GM_ADDR z, uint32_t seed) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(int32_t));
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  GlobalTensor<int32_t> zGm;
  zGm.SetGlobalBuffer((__gm__ int32_t *)z, N);

  uint32_t state = seed;
  for (uint32_t i = 0; i < N; ++i) {
    state = state * 1664525u + 1013904223u;
    t.SetValue(i, static_cast<int32_t>(state >> 8));
  }
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
