#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR z, uint32_t n) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, n * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);

  DataCopyParams whole;
  whole.blockCount = 1;
  whole.blockLen = n * sizeof(float); // site
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, xGm, n);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(zGm, t, whole);
  que.FreeTensor(t);
}
