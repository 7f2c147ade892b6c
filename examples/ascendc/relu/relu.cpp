// ReLU on the first `width` columns of a matrix, in place in UB, by
// the forms with mask and repeat: one repeat per row, the mask selects the
// columns of the last, partly used repeat. The other columns pass unchanged.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 128; // halves in a repeat of 256 bytes

class ReluColumns {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows,
                              uint32_t columns, uint32_t width) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t extra = rows % cores;
    uint32_t begin = rows / cores * core + (core < extra ? core : extra);
    count = rows / cores + (core < extra ? 1 : 0);
    this->columns = columns;
    this->width = width;
    xGm.SetGlobalBuffer((__gm__ half *)x + begin * columns, count * columns);
    yGm.SetGlobalBuffer((__gm__ half *)y + begin * columns, count * columns);
    pipe.InitBuffer(que, 2, ROWS * columns * sizeof(half));
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < count; row += ROWS) {
      uint32_t rows = count - row < ROWS ? count - row : ROWS;
      LocalTensor<half> t = que.AllocTensor<half>();
      DataCopy(t, xGm[row * columns], rows * columns);
      que.EnQue<TPosition::GM, TPosition::VECIN, half>(t);
      t = que.DeQue<TPosition::GM, TPosition::VECIN, half>();
      Compute(t, rows);
      que.EnQue<TPosition::VECOUT, TPosition::GM, half>(t);
      t = que.DeQue<TPosition::VECOUT, TPosition::GM, half>();
      DataCopy(yGm[row * columns], t, rows * columns);
      que.FreeTensor(t);
    }
  }

private:
  static constexpr uint32_t ROWS = 16;

  __aicore__ inline void Compute(const LocalTensor<half> &t, uint32_t rows) {
    // Rows are `columns` apart: that many blocks from repeat to repeat.
    uint8_t stride = columns * sizeof(half) / 32;
    UnaryRepeatParams walk(1, 1, stride, stride);
    uint32_t at = 0;
    for (; at + LANES <= width; at += LANES)
      Relu(t[at], t[at], LANES, rows, walk);
    uint32_t rest = width - at;
    if (rest == 0)
      return;
    // The same as a mask of `rest` lanes, written as bits.
    uint64_t bits[2] = {rest >= 64 ? ~0ull : (1ull << rest) - 1,
                        rest > 64 ? (1ull << (rest - 64)) - 1 : 0};
    Relu(t[at], t[at], bits, rows, walk);
  }

  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  GlobalTensor<half> xGm, yGm;
  uint32_t count, columns, width;
};

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR y, uint32_t rows,
                                           uint32_t columns, uint32_t width) {
  ReluColumns op;
  op.Init(x, y, rows, columns, width);
  op.Process();
}
