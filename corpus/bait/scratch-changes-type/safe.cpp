#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t TILES = 3;

extern "C" __global__ __aicore__ void exponents(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> halfBuf, wideBuf;
  pipe.InitBuffer(halfBuf, N * sizeof(half));
  pipe.InitBuffer(wideBuf, N * sizeof(float));
  LocalTensor<half> t = halfBuf.Get<half>();
  LocalTensor<float> wide = wideBuf.Get<float>();
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, TILES * N);
  zGm.SetGlobalBuffer((__gm__ half *)z, TILES * N);

  for (uint32_t i = 0; i < TILES; ++i) {
    if (i > 0)
      WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    DataCopy(t, xGm[i * N], N);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); // without: missing-sync
    Cast(wide, t, RoundMode::CAST_NONE, N);
    PipeBarrier<PIPE_V>(); // without: missing-barrier
    Exp(wide, wide, N);
    PipeBarrier<PIPE_V>(); // without: missing-barrier
    Cast(t, wide, RoundMode::CAST_RINT, N);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
    DataCopy(zGm[i * N], t, N);
    if (i + 1 < TILES)
      SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    PipeBarrier<PIPE_V>();
  }
}
