#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t BUFFERS = 1;

extern "C" __global__ __aicore__ void add_halves(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, BUFFERS, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, N);
  in.EnQue(a);
  LocalTensor<float> b = in.AllocTensor<float>(); // site
  DataCopy(b, xGm[N], N);
  in.EnQue(b);
  a = in.DeQue<float>();
  b = in.DeQue<float>();
  LocalTensor<float> c = out.AllocTensor<float>();
  Add(c, a, b, N);
  in.FreeTensor(a);
  in.FreeTensor(b);
  out.EnQue(c);
  c = out.DeQue<float>();
  DataCopy(zGm, c, N);
  out.FreeTensor(c);
}
