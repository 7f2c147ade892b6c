#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr int32_t DEPTH = 1;

extern "C" __global__ __aicore__ void larger(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, DEPTH> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 2 * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  for (uint32_t i = 0; i < 2; ++i) {
    LocalTensor<float> part = in.AllocTensor<float>();
    DataCopy(part, xGm[i * N], N);
    in.EnQue(part); // site
  }
  LocalTensor<float> a = in.DeQue<float>();
  LocalTensor<float> b = in.DeQue<float>();
  LocalTensor<float> c = out.AllocTensor<float>();
  Max(c, a, b, N);
  in.FreeTensor(a);
  in.FreeTensor(b);
  out.EnQue(c);
  c = out.DeQue<float>();
  DataCopy(zGm, c, N);
  out.FreeTensor(c);
}
