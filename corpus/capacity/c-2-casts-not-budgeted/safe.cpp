#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 8192;

// Computed in float: z = exp(x)
extern "C" __global__ __aicore__ void exponent(GM_ADDR x, GM_ADDR z,
                                               uint32_t total) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 1> out;
  TBuf<TPosition::VECCALC> wide;
  pipe.InitBuffer(in, 2, TILE * sizeof(half));
  pipe.InitBuffer(out, 1, TILE * sizeof(half));
  pipe.InitBuffer(wide, 2 * TILE * sizeof(float));
  LocalTensor<float> f = wide.Get<float>(TILE);
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, total);
  zGm.SetGlobalBuffer((__gm__ half *)z, total);

  for (uint32_t at = 0; at < total; at += TILE) {
    LocalTensor<half> a = in.AllocTensor<half>();
    DataCopy(a, xGm[at], TILE);
    in.EnQue(a);
    a = in.DeQue<half>();
    PipeBarrier<PIPE_V>();
    Cast(f, a, RoundMode::CAST_NONE, TILE);
    PipeBarrier<PIPE_V>();
    Exp(f, f, TILE);
    in.FreeTensor(a);
    LocalTensor<half> b = out.AllocTensor<half>();
    PipeBarrier<PIPE_V>();
    Cast(b, f, RoundMode::CAST_RINT, TILE);
    out.EnQue(b);
    b = out.DeQue<half>();
    DataCopy(zGm[at], b, TILE);
    out.FreeTensor(b);
  }
}
