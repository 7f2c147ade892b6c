#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t TILES = 8;

extern "C" __global__ __aicore__ void relu_tiles(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 2 * N * sizeof(float));
  LocalTensor<float> t[2] = {buf.Get<float>(N), buf.Get<float>()[N]};
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  for (int32_t id = 0; id < 2; ++id)
    SetFlag<HardEvent::MTE3_MTE2>(id);
  for (uint32_t i = 0; i < TILES; ++i) {
    int32_t id = i % 2;
    WaitFlag<HardEvent::MTE3_MTE2>(id);
    DataCopy(t[id], xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    Relu(t[id], t[id], N);
    SetFlag<HardEvent::V_MTE3>(id);
    WaitFlag<HardEvent::V_MTE3>(id);
    DataCopy(zGm[i * N], t[id], N);
    SetFlag<HardEvent::MTE3_MTE2>(id);
  }
  for (int32_t id = 0; id < 2; ++id)
    WaitFlag<HardEvent::MTE3_MTE2>(id);
}
