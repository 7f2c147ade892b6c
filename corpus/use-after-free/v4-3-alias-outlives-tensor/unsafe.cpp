#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

// z[i] = x[i] + x[i + N / 2], stored twice.
extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, N);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> upper = a[N / 2];
  LocalTensor<float> b = out.AllocTensor<float>();
  Add(b, a, upper, N / 2);
  in.FreeTensor(a);               // other
  Add(b[N / 2], upper, a, N / 2); // site
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, N);
  out.FreeTensor(b);
}
