#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t TILES = 5;

extern "C" __global__ __aicore__ void squares(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> inBuf, outBuf;
  pipe.InitBuffer(inBuf, 2 * N * sizeof(float));
  pipe.InitBuffer(outBuf, 2 * N * sizeof(float));
  LocalTensor<float> in = inBuf.Get<float>(), out = outBuf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TILES * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, TILES * N);

  for (int32_t id = 0; id < 2; ++id) {
    SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::MTE3_V>(id);
  }
  for (uint32_t i = 0; i < TILES; ++i) {
    int32_t id = i & 1;
    uint32_t at = id * N;
    WaitFlag<HardEvent::V_MTE2>(id); // without: missing-sync
    DataCopy(in[at], xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id); // without: missing-sync
    WaitFlag<HardEvent::MTE3_V>(id); // without: missing-sync
    Mul(out[at], in[at], in[at], N);
    SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id); // without: missing-sync
    DataCopy(zGm[i * N], out[at], N);
    SetFlag<HardEvent::MTE3_V>(id); // without: flag-deadlock
  }
  for (int32_t id = 0; id < 2; ++id) {
    WaitFlag<HardEvent::V_MTE2>(id); // without: flag-left-set
    WaitFlag<HardEvent::MTE3_V>(id);
  }
}
