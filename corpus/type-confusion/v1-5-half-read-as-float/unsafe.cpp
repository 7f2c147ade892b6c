#include "kernel_operator.h"
using namespace AscendC;

using T = float;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z,
                                            uint32_t bytes) {
  uint32_t count = bytes / sizeof(T);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, bytes);
  pipe.InitBuffer(out, 1, bytes);
  GlobalTensor<T> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, count);
  zGm.SetGlobalBuffer((__gm__ T *)z, count);

  LocalTensor<T> a = in.AllocTensor<T>();
  DataCopy(a, xGm, count); // site
  in.EnQue(a);
  a = in.DeQue<T>();
  LocalTensor<T> b = out.AllocTensor<T>();
  Muls(b, a, T(2), count);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<T>();
  DataCopy(zGm, b, count);
  out.FreeTensor(b);
}
