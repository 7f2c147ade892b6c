#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 8;

// Copies ROWS windows of `length` elements that start `pitch` elements apart.
extern "C" __global__ __aicore__ void windows(GM_ADDR x, GM_ADDR z,
                                              uint32_t pitch, uint32_t length) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, ROWS * length * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  zGm.SetGlobalBuffer((__gm__ float *)z);

  LocalTensor<float> t = que.AllocTensor<float>();
  {
    uint32_t gap = pitch - length; // site
    DataCopyExtParams rows(ROWS, length * sizeof(float), gap * sizeof(float), 0,
                           0);
    DataCopyPadExtParams<float> padding(false, 0, 0, 0.0f);
    DataCopyPad(t, xGm, rows, padding);
  }
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(zGm, t, ROWS * length);
  que.FreeTensor(t);
}
