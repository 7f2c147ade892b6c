#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t TILES = 8;

extern "C" __global__ __aicore__ void exponents(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> inBuf, outBuf;
  pipe.InitBuffer(inBuf, 2 * N * sizeof(float));
  pipe.InitBuffer(outBuf, 2 * N * sizeof(float));
  LocalTensor<float> in = inBuf.Get<float>(), out = outBuf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  for (uint32_t i = 0; i < TILES; ++i) {
    int32_t id = i % 2;
    uint32_t at = id * N;
    if (i >= 2)
      WaitFlag<HardEvent::V_MTE2>(id);
    DataCopy(in[at], xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    if (i >= 2)
      WaitFlag<HardEvent::MTE3_V>(id);
    Exp(out[at], in[at], N);
    if (i + 2 < TILES)
      SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    DataCopy(zGm[i * N], out[at], N);
    if (i + 2 < TILES)
      SetFlag<HardEvent::MTE3_V>(id);
  }
}
