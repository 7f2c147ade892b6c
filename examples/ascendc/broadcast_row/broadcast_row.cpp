// y = x + bias, one bias per column: the bias is the second operand of an Add
// whose repeats do not move it (repeat stride 0), one repeat per row.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 64; // floats in a repeat
constexpr uint32_t ROWS = 32;

class KernelAddRow {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR y, uint32_t rows,
                              uint32_t columns) {
    this->columns = columns;
    padded = (columns + 7) / 8 * 8;
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    biasGm.SetGlobalBuffer((__gm__ float *)bias, columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);
    pipe.InitBuffer(inX, 2, ROWS * padded * sizeof(float));
    pipe.InitBuffer(outY, 2, ROWS * padded * sizeof(float));
    pipe.InitBuffer(inBias, 1, padded * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<float> bias = inBias.AllocTensor<float>();
    DataCopyPad(bias, biasGm, {1, uint32_t(columns * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    inBias.EnQue(bias);
    bias = inBias.DeQue<float>();
    for (uint32_t row = firstRow; row < lastRow; row += ROWS) {
      uint16_t rows = lastRow - row < ROWS ? lastRow - row : ROWS;
      DataCopyExtParams tile(rows, columns * sizeof(float), 0, 0, 0);
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, xGm[uint64_t(row) * columns], tile, {false, 0, 0, 0});
      inX.EnQue(x);
      x = inX.DeQue<float>();
      LocalTensor<float> y = outY.AllocTensor<float>();
      AddBias(y, x, bias, rows);
      inX.FreeTensor(x);
      outY.EnQue(y);
      y = outY.DeQue<float>();
      DataCopyPad(yGm[uint64_t(row) * columns], y, tile);
      outY.FreeTensor(y);
    }
    inBias.FreeTensor(bias);
  }

private:
  __aicore__ inline void AddBias(const LocalTensor<float> &y,
                                 const LocalTensor<float> &x,
                                 const LocalTensor<float> &bias, uint8_t rows) {
    uint8_t stride = padded / 8; // blocks from row to row
    BinaryRepeatParams walk(1, 1, 1, stride, stride, 0);
    for (uint32_t at = 0; at < columns; at += LANES) {
      uint64_t lanes = columns - at < LANES ? columns - at : LANES;
      Add(y[at], x[at], bias[at], lanes, rows, walk);
    }
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECIN, 1> inBias;
  TQue<TPosition::VECOUT, 2> outY;
  GlobalTensor<float> xGm, biasGm, yGm;
  uint32_t columns, padded, firstRow, lastRow;
};

extern "C" __global__ __aicore__ void broadcast_row(GM_ADDR x, GM_ADDR bias,
                                                    GM_ADDR y, uint32_t rows,
                                                    uint32_t columns) {
  KernelAddRow op;
  op.Init(x, bias, y, rows, columns);
  op.Process();
}
