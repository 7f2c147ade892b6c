#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

// Copies the tiles whose count is not zero.
extern "C" __global__ __aicore__ void chosen(GM_ADDR x, GM_ADDR counts,
                                             GM_ADDR z, uint32_t tiles) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  pipe.InitBuffer(que, 2, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  GlobalTensor<int32_t> countsGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);
  countsGm.SetGlobalBuffer((__gm__ int32_t *)counts);

  for (uint32_t i = 0; i < tiles; ++i) {
    LocalTensor<float> t = que.AllocTensor<float>(); // site
    DataCopy(t, xGm[i * N], N);
    que.EnQue(t);
    if (countsGm.GetValue(i) == 0)
      continue;
    t = que.DeQue<float>();
    DataCopy(zGm[i * N], t, N);
    que.FreeTensor(t);
  }
}
