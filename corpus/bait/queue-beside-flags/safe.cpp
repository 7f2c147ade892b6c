#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t TILES = 4;

extern "C" __global__ __aicore__ void absolute(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TBuf<TPosition::VECCALC> outBuf;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(outBuf, N * sizeof(float));
  LocalTensor<float> out = outBuf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TILES * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, TILES * N);

  for (uint32_t i = 0; i < TILES; ++i) {
    LocalTensor<float> t = in.AllocTensor<float>();
    DataCopy(t, xGm[i * N], N);
    in.EnQue(t);
    t = in.DeQue<float>(); // without: missing-sync
    if (i > 0)
      WaitFlag<HardEvent::MTE3_V>(EVENT_ID3);
    Abs(out, t, N);
    in.FreeTensor(t);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID3);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID3); // without: missing-sync
    DataCopy(zGm[i * N], out, N);
    if (i + 1 < TILES)
      SetFlag<HardEvent::MTE3_V>(EVENT_ID3);
  }
}
