#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 512;

extern "C" __global__ __aicore__ void negate(GM_ADDR x, GM_ADDR z,
                                             uint32_t total) {
  uint32_t tail = total % TILE;
  uint32_t longest = tail;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, longest * sizeof(float));
  pipe.InitBuffer(out, 1, TILE * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);

  for (uint32_t at = 0; at < total; at += TILE) {
    uint32_t count = total - at < TILE ? tail : TILE;
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[at], count); // site
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Muls(b, a, -1.0f, count);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(zGm[at], b, count);
    out.FreeTensor(b);
  }
}
