#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;
constexpr uint32_t HALO = 8;
constexpr uint32_t ROUNDS = 4;

// Window i has the elements from i * N - HALO on; missing ones are zero.
extern "C" __global__ __aicore__ void windows(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  for (uint32_t i = 0; i < ROUNDS; ++i) {
    uint32_t first = i * N - HALO;
    uint32_t skip = i == 0 ? HALO : 0;
    first += skip; // without: offset-overflow
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopy(t, xGm[first], N - skip);
    que.EnQue(t);
    t = que.DeQue<float>(); // without: missing-sync
    DataCopy(zGm[i * N + skip], t, N - skip);
    que.FreeTensor(t);
  }
}
