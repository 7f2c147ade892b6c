// Upper triangle of a batch of matrices: what lies below the diagonal k becomes
// zero. Rows that keep everything or nothing are not touched by the vector
// unit more than needed.
#include "kernel_operator.h"
using namespace AscendC;

class KernelTriu {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t batch,
                              uint32_t rows, uint32_t columns, int32_t k) {
    this->rows = rows;
    this->columns = columns;
    diagonal = k;
    first = batch * rows * GetBlockIdx() / GetBlockNum();
    last = batch * rows * (GetBlockIdx() + 1) / GetBlockNum();
    uint64_t total = uint64_t(batch) * rows * columns;
    xGm.SetGlobalBuffer((__gm__ half *)x, total);
    yGm.SetGlobalBuffer((__gm__ half *)y, total);
    pipe.InitBuffer(que, 2, (columns * sizeof(half) + 31) / 32 * 32);
  }
  __aicore__ inline void Process() {
    DataCopyExtParams whole{1, uint32_t(columns * sizeof(half)), 0, 0, 0};
    for (uint32_t i = first; i < last; ++i) {
      uint64_t at = uint64_t(i) * columns;
      LocalTensor<half> row = que.AllocTensor<half>();
      DataCopyPad(row, xGm[at], whole, {false, 0, 0, 0});
      que.EnQue<TPosition::GM, TPosition::VECIN, half>(row);
      row = que.DeQue<TPosition::GM, TPosition::VECIN, half>();
      int32_t zeros = int32_t(i % rows) + diagonal;
      if (zeros > int32_t(columns))
        zeros = columns;
      if (zeros > 0)
        Duplicate(row, half(0), zeros);
      que.EnQue<TPosition::VECOUT, TPosition::GM, half>(row);
      row = que.DeQue<TPosition::VECOUT, TPosition::GM, half>();
      DataCopyPad(yGm[at], row, whole);
      que.FreeTensor(row);
    }
  }

private:
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  GlobalTensor<half> xGm, yGm;
  uint32_t rows, columns, first, last;
  int32_t diagonal;
};

extern "C" __global__ __aicore__ void triu(GM_ADDR x, GM_ADDR y, uint32_t batch,
                                           uint32_t rows, uint32_t columns,
                                           int32_t k) {
  KernelTriu op;
  op.Init(x, y, batch, rows, columns, k);
  op.Process();
}
