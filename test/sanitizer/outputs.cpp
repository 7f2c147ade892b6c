// Copies [first, first + count) of x to z, which may be more than that.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void part(GM_ADDR x, GM_ADDR z, uint32_t first,
                                           uint32_t count) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, 256 * sizeof(int16_t));
  GlobalTensor<int16_t> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ int16_t *)x);
  zGm.SetGlobalBuffer((__gm__ int16_t *)z);
  if (!count)
    return;
  LocalTensor<int16_t> t = que.AllocTensor<int16_t>();
  DataCopyExtParams p(1, count * sizeof(int16_t), 0, 0, 0);
  DataCopyPad(t, xGm[first], p, DataCopyPadExtParams<int16_t>());
  que.EnQue(t);
  t = que.DeQue<int16_t>();
  DataCopyPad(zGm[first], t, p); // stores a part
  que.FreeTensor(t);
}
