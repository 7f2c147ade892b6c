#include "kernel_operator.h"
using namespace AscendC;

// Stages n packed 4-bit weights through the unified buffer.
extern "C" __global__ __aicore__ void stage_int4(GM_ADDR x, GM_ADDR z,
                                                 uint32_t n) {
  uint32_t bytes = (n + 1) / 2;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, bytes);
  GlobalTensor<int8_t> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ int8_t *)x);
  zGm.SetGlobalBuffer((__gm__ int8_t *)z);

  LocalTensor<int8_t> packed = que.AllocTensor<int8_t>();
  DataCopy(packed, xGm, bytes);
  que.EnQue(packed);
  packed = que.DeQue<int8_t>();
  DataCopy(zGm, packed, bytes);
  que.FreeTensor(packed);
}
