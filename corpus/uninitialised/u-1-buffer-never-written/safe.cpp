#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void add_bias(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  TBuf<TPosition::VECCALC> biasBuf;
  pipe.InitBuffer(in, 1, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  pipe.InitBuffer(biasBuf, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> bias = biasBuf.Get<float>();
  Duplicate(bias, 0.5f, N);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, N);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  PipeBarrier<PIPE_V>();
  Add(b, a, bias, N);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, N);
  out.FreeTensor(b);
}
