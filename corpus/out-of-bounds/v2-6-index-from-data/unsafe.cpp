#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 64;

extern "C" __global__ __aicore__ void take_rows(GM_ADDR table, GM_ADDR index,
                                                GM_ADDR z, int32_t rows) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  pipe.InitBuffer(que, 2, COLS * sizeof(float));
  GlobalTensor<float> tableGm, zGm;
  GlobalTensor<int32_t> indexGm;
  tableGm.SetGlobalBuffer((__gm__ float *)table);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  for (int32_t i = 0; i < rows; ++i) {
    int32_t from = indexGm.GetValue(i);
    LocalTensor<float> row = que.AllocTensor<float>();
    DataCopy(row, tableGm[from * COLS], COLS); // site
    que.EnQue(row);
    row = que.DeQue<float>();
    DataCopy(zGm[i * COLS], row, COLS);
    que.FreeTensor(row);
  }
}
