#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512, TILES = 6;

extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 2 * N * sizeof(float));
  LocalTensor<float> both = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TILES * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, TILES * N);

  for (uint32_t i = 0; i < TILES; ++i) {
    int32_t id = i % 2;
    LocalTensor<float> t = both[id * N];
    if (i >= 2)
      WaitFlag<HardEvent::MTE3_MTE2>(id);
    DataCopy(t, xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    Adds(t, t, 1.0f, N);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    DataCopy(zGm[i * N], t, N);
    if (i + 2 < TILES)
      SetFlag<HardEvent::MTE3_MTE2>(id);
  }
}
