#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 64;

// Rows in reverse order.
extern "C" __global__ __aicore__ void flip(GM_ADDR x, GM_ADDR z,
                                           uint32_t rows) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  pipe.InitBuffer(que, 2, COLS * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  uint32_t to = 0;
  for (uint32_t from = rows; from-- > 0; ++to) {
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopy(t, xGm[from * COLS], COLS);
    que.EnQue(t);
    t = que.DeQue<float>();
    DataCopy(zGm[to * COLS], t, COLS);
    que.FreeTensor(t);
  }
}
