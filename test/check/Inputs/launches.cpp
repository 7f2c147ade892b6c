// What a launch shows that the source does not.
#include "kernel_operator.h"
using namespace AscendC;

// Where a row begins, data say.
class CopyRow {
public:
  __aicore__ inline void Process(GM_ADDR x, GM_ADDR at, GM_ADDR y,
                                 uint32_t elements) {
    xGm.SetGlobalBuffer((__gm__ float *)x, elements);
    atGm.SetGlobalBuffer((__gm__ uint32_t *)at, 8);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    pipe.InitBuffer(queue, 1, 256);
    LocalTensor<float> row = queue.AllocTensor<float>();
    DataCopy(row, xGm[atGm.GetValue(0)], 64); // line 15
    queue.EnQue(row);
    row = queue.DeQue<float>();
    DataCopy(yGm, row, 64);
    queue.FreeTensor(row);
  }

private:
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  GlobalTensor<float> xGm, yGm;
  GlobalTensor<uint32_t> atGm;
};

extern "C" __global__ __aicore__ void copy_row(GM_ADDR x, GM_ADDR at, GM_ADDR y,
                                               uint32_t elements) {
  CopyRow op;
  op.Process(x, at, y, elements);
}

// n elements of a buffer that holds 256.
extern "C" __global__ __aicore__ void ones(GM_ADDR y, uint32_t n) {
  GlobalTensor<float> yGm;
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 1024);
  LocalTensor<float> t = queue.AllocTensor<float>();
  Duplicate(t, 1.0f, n); // line 43
  queue.EnQue(t);
  t = queue.DeQue<float>();
  DataCopy(yGm, t, n); // line 46
  queue.FreeTensor(t);
}
