#include "kernel_operator.h"
using namespace AscendC;

// z = exp(x) * x
extern "C" __global__ __aicore__ void exp_times(GM_ADDR x, GM_ADDR z,
                                                uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> tmpBuf;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(tmpBuf, 512);
  pipe.InitBuffer(in, 1, n * sizeof(float));
  pipe.InitBuffer(out, 1, n * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, n);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> tmp = tmpBuf.Get<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Exp(tmp, a, n); // site
  PipeBarrier<PIPE_V>();
  Mul(b, tmp, a, n);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(zGm, b, n);
  out.FreeTensor(b);
}
