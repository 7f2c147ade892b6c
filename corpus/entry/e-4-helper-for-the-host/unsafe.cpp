#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

inline float Offset(uint32_t n) { return float(n / 2); } // site

extern "C" __global__ __aicore__ void shift(GM_ADDR x, GM_ADDR z) {
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
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, Offset(N), N);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, N);
  out.FreeTensor(b);
}
