#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t ROWS = 3;

extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * ROWS * N, ROWS * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);

  SetAtomicMax<float>(); // without: race-between-cores
  for (uint32_t i = 0; i < ROWS; ++i) {
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopy(t, xGm[i * N], N);
    que.EnQue(t);
    t = que.DeQue<float>(); // without: missing-sync
    DataCopy(zGm, t, N);
    que.FreeTensor(t);
  }
  SetAtomicNone(); // without: atomic-left-on
}
