#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t TILES = 8;

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  pipe.InitBuffer(que, 2, N * sizeof(half));
  GlobalTensor<half> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  zGm.SetGlobalBuffer((__gm__ half *)z);

  for (uint32_t i = 0; i < TILES; ++i) {
    LocalTensor<half> t = que.AllocTensor<half>();
    DataCopy(t, xGm[i * N], N);
    que.EnQue(t);
    t = que.DeQue<half>();
    DataCopy(zGm[i * N], t, N);
    que.FreeTensor(t);
  }
}
