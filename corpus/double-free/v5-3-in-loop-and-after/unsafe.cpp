#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;
constexpr uint32_t TILES = 4;

extern "C" __global__ __aicore__ void copy_tiles(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  pipe.InitBuffer(que, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> t;
  for (uint32_t i = 0; i < TILES; ++i) {
    t = que.AllocTensor<float>();
    DataCopy(t, xGm[i * N], N);
    que.EnQue(t);
    t = que.DeQue<float>();
    DataCopy(zGm[i * N], t, N);
    que.FreeTensor(t); // other
  }
  que.FreeTensor(t); // site
}
