#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 64;

extern "C" __global__ __aicore__ void absolute(GM_ADDR x, GM_ADDR z,
                                               uint32_t n) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, n * sizeof(float));
  pipe.InitBuffer(out, 1, n * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, n);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  for (uint32_t at = 0; at < n; at += LANES) {
    uint64_t mask = n - at < LANES ? n - at : LANES;
    Abs(b[at], a[at], mask, 1, {1, 1, 8, 8});
  }
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, n);
  out.FreeTensor(b);
}
