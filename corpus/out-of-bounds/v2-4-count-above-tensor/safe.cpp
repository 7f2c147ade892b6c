#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TENSOR = 512;
constexpr uint32_t COUNT = TENSOR;

extern "C" __global__ __aicore__ void leaky(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, TENSOR * sizeof(float));
  pipe.InitBuffer(out, 2, TENSOR * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TENSOR);
  zGm.SetGlobalBuffer((__gm__ float *)z, TENSOR);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, TENSOR);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  LeakyRelu(b, a, 0.1f, COUNT);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, TENSOR);
  out.FreeTensor(b);
}
