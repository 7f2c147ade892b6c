#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t HEAD = 64;

// x with its head replaced by y.
extern "C" __global__ __aicore__ void new_head(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, N * sizeof(float));
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  yGm.SetGlobalBuffer((__gm__ float *)y, HEAD);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, xGm, N);    // other
  DataCopy(t, yGm, HEAD); // site
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(zGm, t, N);
  que.FreeTensor(t);
}
