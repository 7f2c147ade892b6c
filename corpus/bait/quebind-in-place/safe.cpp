#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t TILES = 5;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, TILES * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, TILES * N);

  for (uint32_t i = 0; i < TILES; ++i) {
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopy(t, xGm[i * N], N);
    que.EnQue<TPosition::GM, TPosition::VECIN, float>(t);
    t = que.DeQue<TPosition::GM, TPosition::VECIN, float>();
    Muls(t, t, 2.0f, N);
    que.EnQue<TPosition::VECOUT, TPosition::GM, float>(
        t); // without: queue-empty
    t = que.DeQue<TPosition::VECOUT, TPosition::GM,
                  float>(); // without: missing-sync
    DataCopy(zGm[i * N], t, N);
    que.FreeTensor(t); // without: queue-exhausted
  }
}
