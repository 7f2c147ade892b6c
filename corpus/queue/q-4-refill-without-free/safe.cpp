#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void both_halves(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 1, N * sizeof(float));
  pipe.InitBuffer(out, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, N);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, 2.0f, N);
  out.EnQue(b);
  in.FreeTensor(a);
  a = in.AllocTensor<float>();
  DataCopy(a, xGm[N], N);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> c = out.AllocTensor<float>();
  Muls(c, a, 2.0f, N);
  out.EnQue(c);
  in.FreeTensor(a);
  for (uint32_t i = 0; i < 2; ++i) {
    b = out.DeQue<float>();
    DataCopy(zGm[i * N], b, N);
    out.FreeTensor(b);
  }
}
