#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

extern "C" __global__ __aicore__ void
increment(GM_ADDR x, GM_ADDR z, uint32_t perCore, uint32_t total) {
  uint32_t begin = GetBlockIdx() * perCore, end = begin + perCore;
  uint32_t limit = total;
  ASSERT(perCore >= TILE && total >= TILE);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, TILE * sizeof(float));
  pipe.InitBuffer(out, 1, TILE * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);

  for (uint32_t at = begin; at < end; at += TILE) {
    // A full tile always: the last one starts earlier and overlaps the one
    // before.
    uint32_t from = at + TILE > limit ? limit - TILE : at;
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[from], TILE);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, TILE);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    PipeBarrier<PIPE_MTE3>();
    DataCopy(zGm[from], b, TILE); // site
    out.FreeTensor(b);
  }
}
