#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t TILES = 4;

extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TILES * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, TILES * N);

  event_t loaded = (event_t)pipe.AllocEventID<HardEvent::MTE2_V>();
  event_t ready = (event_t)pipe.AllocEventID<HardEvent::V_MTE3>();
  event_t empty = (event_t)pipe.AllocEventID<HardEvent::MTE3_MTE2>();
  SetFlag<HardEvent::MTE3_MTE2>(empty);
  for (uint32_t i = 0; i < TILES; ++i) {
    WaitFlag<HardEvent::MTE3_MTE2>(empty); // without: missing-sync
    DataCopy(t, xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(loaded);
    WaitFlag<HardEvent::MTE2_V>(loaded); // without: missing-sync
    Adds(t, t, 1.0f, N);
    SetFlag<HardEvent::V_MTE3>(ready);
    WaitFlag<HardEvent::V_MTE3>(ready); // without: missing-sync
    DataCopy(zGm[i * N], t, N);
    SetFlag<HardEvent::MTE3_MTE2>(empty); // without: flag-deadlock
  }
  WaitFlag<HardEvent::MTE3_MTE2>(empty); // without: flag-left-set
  pipe.ReleaseEventID<HardEvent::MTE2_V>(loaded);
  pipe.ReleaseEventID<HardEvent::V_MTE3>(ready);
  pipe.ReleaseEventID<HardEvent::MTE3_MTE2>(empty);
}
