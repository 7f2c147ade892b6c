#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 64;

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR z,
                                           uint32_t rows) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, COLS * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, rows * COLS);
  zGm.SetGlobalBuffer((__gm__ float *)z, rows * COLS);

  uint32_t mine = (rows + GetBlockNum() - 1) / GetBlockNum();
  for (uint32_t i = 0; i < mine; ++i) {
    uint32_t row = GetBlockIdx() * mine + i;
    if (row >= rows)
      break;
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopy(t, xGm[row * COLS], COLS);
    que.EnQue(t);
    t = que.DeQue<float>();
    DataCopy(zGm[row * COLS], t, COLS);
    que.FreeTensor(t);
  }
}
