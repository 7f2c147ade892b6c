#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROOM = 1008;

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR z,
                                                uint32_t n) {
  uint32_t loaded = n;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, ROOM * sizeof(float));
  pipe.InitBuffer(out, 1, ROOM * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopyExtParams load(1, loaded * sizeof(float), 0, 0, 0);
  DataCopyPadExtParams<float> padding(false, 0, 0, 0.0f);
  DataCopyPad(a, xGm, load, padding);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Adds(b, a, 1.0f, n);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopyExtParams store(1, n * sizeof(float), 0, 0, 0);
  DataCopyPad(zGm, b, store);
  out.FreeTensor(b);
}
