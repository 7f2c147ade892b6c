#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t BLOCK = 8; // floats in 32 bytes
constexpr uint32_t ROWS = 8;

// Copies ROWS windows of `length` blocks that start `pitch` blocks apart.
extern "C" __global__ __aicore__ void windows(GM_ADDR x, GM_ADDR z,
                                              uint32_t pitch, uint32_t length) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, ROWS * length * BLOCK * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> t = que.AllocTensor<float>();
  if (pitch < length) {
    for (uint32_t r = 0; r < ROWS; ++r)
      DataCopy(t[r * length * BLOCK], xGm[r * pitch * BLOCK], length * BLOCK);
  } else {
    uint32_t gap = pitch - length;
    DataCopyParams rows;
    rows.blockCount = ROWS;
    rows.blockLen = length;
    rows.srcStride = gap;
    DataCopy(t, xGm, rows);
  }
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(zGm, t, ROWS * length * BLOCK);
  que.FreeTensor(t);
}
