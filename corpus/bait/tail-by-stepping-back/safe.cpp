#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 512;

extern "C" __global__ __aicore__ void negate(GM_ADDR x, GM_ADDR z,
                                             uint32_t total) {
  ASSERT(total >= TILE);
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, TILE * sizeof(float));
  pipe.InitBuffer(out, 2, TILE * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);

  for (uint32_t at = 0; at < total; at += TILE) {
    uint32_t from = at + TILE > total ? total - TILE : at;
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[from], TILE);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, -1.0f, TILE);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    if (from != at)
      PipeBarrier<PIPE_MTE3>();
    DataCopy(zGm[from], b, TILE);
    out.FreeTensor(b);
  }
}
