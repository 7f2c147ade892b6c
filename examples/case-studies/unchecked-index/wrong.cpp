// Puts one row into a cache at the slot that the caller names.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 64;

extern "C" __global__ __aicore__ void put_row(GM_ADDR row, GM_ADDR cache,
                                              int32_t slot) {
  GlobalTensor<float> rowGm, cacheGm;
  rowGm.SetGlobalBuffer((__gm__ float *)row, COLS);
  cacheGm.SetGlobalBuffer((__gm__ float *)cache);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, COLS * sizeof(float));
  LocalTensor<float> t = queue.AllocTensor<float>();
  DataCopy(t, rowGm, COLS);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  DataCopy(cacheGm[slot * COLS], t, COLS); // is there such a slot?
  queue.FreeTensor(t);
}
