#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, xGm, N); // other
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(zGm, t, N); // site
  que.FreeTensor(t);
}
