#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

// z += x
extern "C" __global__ __aicore__ void accumulate(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, N * sizeof(half));
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, N);
  zGm.SetGlobalBuffer((__gm__ half *)z, N);

  LocalTensor<half> t = que.AllocTensor<half>();
  DataCopy(t, xGm, N);
  que.EnQue(t);
  t = que.DeQue<half>();
  SetAtomicAdd<half>();
  DataCopy(zGm, t, N);
  SetAtomicNone();
  que.FreeTensor(t);
}
