#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inX, inY;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(inX, 1, N * sizeof(float));
  pipe.InitBuffer(inY, 1, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> a = inX.AllocTensor<float>();
  LocalTensor<float> b = inY.AllocTensor<float>();
  DataCopy(a, xGm, N);
  DataCopy(b, yGm, N);
  inX.EnQue(a);
  inY.EnQue(b);
  a = inX.DeQue<float>();
  b = inY.DeQue<float>();
  LocalTensor<float> c = out.AllocTensor<float>();
  Add(c, a, b, N);
  inX.FreeTensor(a);
  inX.FreeTensor(b); // site
  out.EnQue(c);
  c = out.DeQue<float>();
  DataCopy(zGm, c, N);
  out.FreeTensor(c);
}
