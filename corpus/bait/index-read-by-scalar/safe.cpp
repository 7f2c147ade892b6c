#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;
constexpr uint32_t ROWS = 8;

extern "C" __global__ __aicore__ void pick_rows(GM_ADDR x, GM_ADDR index,
                                                GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> indexBuf;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(indexBuf, ROWS * sizeof(int32_t));
  pipe.InitBuffer(que, 2, N * sizeof(float));
  LocalTensor<int32_t> rows = indexBuf.Get<int32_t>();
  GlobalTensor<float> xGm, zGm;
  GlobalTensor<int32_t> indexGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index, ROWS);
  zGm.SetGlobalBuffer((__gm__ float *)z, ROWS * N);

  DataCopy(rows, indexGm, ROWS);
  SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_S>(EVENT_ID0); // without: missing-sync
  for (uint32_t i = 0; i < ROWS; ++i) {
    uint32_t row = rows.GetValue(i);
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopy(t, xGm[row * N], N);
    que.EnQue(t);
    t = que.DeQue<float>(); // without: missing-sync
    DataCopy(zGm[i * N], t, N);
    que.FreeTensor(t);
  }
}
