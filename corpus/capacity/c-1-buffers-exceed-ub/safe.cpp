#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2816;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                          uint32_t total) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> inX, inY;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(inX, 2, TILE * sizeof(float));
  pipe.InitBuffer(inY, 2, TILE * sizeof(float));
  pipe.InitBuffer(out, 2, TILE * sizeof(float));
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  yGm.SetGlobalBuffer((__gm__ float *)y, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);

  for (uint32_t at = 0; at < total; at += TILE) {
    LocalTensor<float> a = inX.AllocTensor<float>();
    LocalTensor<float> b = inY.AllocTensor<float>();
    DataCopy(a, xGm[at], TILE);
    DataCopy(b, yGm[at], TILE);
    inX.EnQue(a);
    inY.EnQue(b);
    a = inX.DeQue<float>();
    b = inY.DeQue<float>();
    LocalTensor<float> c = out.AllocTensor<float>();
    Add(c, a, b, TILE);
    inX.FreeTensor(a);
    inY.FreeTensor(b);
    out.EnQue(c);
    c = out.DeQue<float>();
    DataCopy(zGm[at], c, TILE);
    out.FreeTensor(c);
  }
}
