#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t TILES = 4;
extern "C" __global__ __aicore__ void relu_tiles(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  TEventID loaded = pipe.AllocEventID<HardEvent::MTE2_V>();
  TEventID stored = pipe.AllocEventID<HardEvent::V_MTE3>();
  TEventID spare = pipe.AllocEventID<HardEvent::MTE3_MTE2>();
  TEventID empty = pipe.AllocEventID<HardEvent::MTE3_MTE2>();
  for (uint32_t i = 0; i < TILES; ++i) {
    if (i > 0)
      WaitFlag<HardEvent::MTE3_MTE2>(empty);
    DataCopy(t, xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(loaded);
    WaitFlag<HardEvent::MTE2_V>(loaded);
    Relu(t, t, N);
    SetFlag<HardEvent::V_MTE3>(stored);
    WaitFlag<HardEvent::V_MTE3>(stored);
    DataCopy(zGm[i * N], t, N);
    if (i + 1 < TILES)
      SetFlag<HardEvent::MTE3_MTE2>(empty);
  }
  pipe.ReleaseEventID<HardEvent::MTE3_MTE2>(spare);
  pipe.ReleaseEventID<HardEvent::MTE3_MTE2>(empty);
}
