// y = x * factor, one factor per row. Brcb spreads eight factors over eight
// blocks; a Mul whose second operand has block stride 0 then uses one block for
// a whole repeat of its row.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 64; // floats in a repeat
constexpr uint32_t ROWS = 32;  // a multiple of 8: Brcb works on eight factors

class KernelMulColumn {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR factor, GM_ADDR y,
                              uint32_t rows, uint32_t columns) {
    this->columns = columns;
    padded = (columns + 7) / 8 * 8;
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    factorGm.SetGlobalBuffer((__gm__ float *)factor, rows);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);
    pipe.InitBuffer(inX, 2, ROWS * padded * sizeof(float));
    pipe.InitBuffer(inFactor, 2, ROWS * sizeof(float));
    pipe.InitBuffer(outY, 2, ROWS * padded * sizeof(float));
    pipe.InitBuffer(spreadBuf, ROWS * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; row += ROWS) {
      uint16_t rows = lastRow - row < ROWS ? lastRow - row : ROWS;
      CopyIn(row, rows);
      Compute(rows);
      CopyOut(row, rows);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row, uint16_t rows) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    LocalTensor<float> factor = inFactor.AllocTensor<float>();
    DataCopyExtParams tile(rows, columns * sizeof(float), 0, 0, 0);
    DataCopyPad(x, xGm[uint64_t(row) * columns], tile, {false, 0, 0, 0});
    DataCopyPad(factor, factorGm[row],
                {1, uint32_t(rows * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
    inX.EnQue(x);
    inFactor.EnQue(factor);
  }
  __aicore__ inline void Compute(uint16_t rows) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> factor = inFactor.DeQue<float>();
    LocalTensor<float> y = outY.AllocTensor<float>();
    LocalTensor<float> spread = spreadBuf.Get<float>();
    Brcb(spread, factor, uint8_t((rows + 7) / 8), {1, 8});
    PipeBarrier<PIPE_V>();
    inFactor.FreeTensor(factor);
    uint8_t stride = padded / 8;
    BinaryRepeatParams walk(1, 1, 0, stride, stride, 1);
    for (uint32_t at = 0; at < columns; at += LANES) {
      uint64_t lanes = columns - at < LANES ? columns - at : LANES;
      Mul(y[at], x[at], spread, lanes, uint8_t(rows), walk);
    }
    PipeBarrier<PIPE_V>(); // the next tile spreads into the same place
    inX.FreeTensor(x);
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t row, uint16_t rows) {
    LocalTensor<float> y = outY.DeQue<float>();
    DataCopyExtParams tile(rows, columns * sizeof(float), 0, 0, 0);
    DataCopyPad(yGm[uint64_t(row) * columns], y, tile);
    outY.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX, inFactor;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> spreadBuf;
  GlobalTensor<float> xGm, factorGm, yGm;
  uint32_t columns, padded, firstRow, lastRow;
};

extern "C" __global__ __aicore__ void broadcast_col(GM_ADDR x, GM_ADDR factor,
                                                    GM_ADDR y, uint32_t rows,
                                                    uint32_t columns) {
  KernelMulColumn op;
  op.Init(x, factor, y, rows, columns);
  op.Process();
}
