#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

extern "C" __global__ __aicore__ void sum_parts(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * N, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, xGm, N);
  que.EnQue(t);
  t = que.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopy(zGm, t, N);
  SetAtomicNone();
  que.FreeTensor(t);
}
