#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 64;

// The first core copies the last of its rows; the second has none.
extern "C" __global__ __aicore__ void last_row(GM_ADDR x, GM_ADDR z,
                                               uint32_t rows) {
  uint32_t mine = GetBlockIdx() == 0 ? rows : 0;
  uint32_t last = mine - 1; // site
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, COLS * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> row = que.AllocTensor<float>();
  DataCopy(row, xGm[uint64_t(last) * COLS], COLS);
  que.EnQue(row);
  row = que.DeQue<float>();
  DataCopy(zGm, row, COLS);
  que.FreeTensor(row);
}
