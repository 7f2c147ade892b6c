// Sums each row of a matrix of floats. Columns are reduced in chunks, so a row
// may be longer than UB; the sums of several rows leave together.
#include "kernel_operator.h"
using namespace AscendC;

struct RowSumTilingData {
  uint32_t rows;
  uint32_t columns;
  uint32_t chunk; // columns at a time
};
REGISTER_TILING_DEFAULT(RowSumTilingData);

class KernelRowSum {
public:
  static constexpr uint32_t ROWS = 64; // sums that are stored together

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RowSumTilingData &t) {
    firstRow = t.rows * GetBlockIdx() / GetBlockNum();
    lastRow = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
    columns = t.columns;
    chunk = t.chunk;
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(t.rows) * columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, t.rows);
    pipe.InitBuffer(inX, 2, chunk * sizeof(float));
    pipe.InitBuffer(outY, 2, ROWS * sizeof(float));
    pipe.InitBuffer(workBuf, chunk * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; row += ROWS) {
      uint32_t rows = lastRow - row < ROWS ? lastRow - row : ROWS;
      LocalTensor<float> y = outY.AllocTensor<float>();
      for (uint32_t i = 0; i < rows; ++i) {
        float sum = SumRow(row + i);
        y.SetValue(i, sum);
      }
      // What the scalar unit wrote is stored by MTE3.
      SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
      WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
      outY.EnQue(y);
      y = outY.DeQue<float>();
      DataCopyPad(yGm[row], y, {1, uint32_t(rows * sizeof(float)), 0, 0, 0});
      outY.FreeTensor(y);
      // The buffer is written by the scalar unit again, which no queue orders.
      SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
      WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
    }
  }

private:
  __aicore__ inline float SumRow(uint32_t row) {
    LocalTensor<float> sum = sumBuf.Get<float>();
    float total = 0;
    for (uint32_t at = 0; at < columns; at += chunk) {
      uint32_t count = columns - at < chunk ? columns - at : chunk;
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, xGm[uint64_t(row) * columns + at],
                  {1, uint32_t(count * sizeof(float)), 0, 0, 0},
                  {false, 0, 0, 0});
      inX.EnQue(x);
      x = inX.DeQue<float>();
      ReduceSum(sum, x, workBuf.Get<float>(), count);
      inX.FreeTensor(x);
      SetFlag<HardEvent::V_S>(EVENT_ID0);
      WaitFlag<HardEvent::V_S>(EVENT_ID0);
      total += sum.GetValue(0);
      // The next reduction writes what was just read.
      SetFlag<HardEvent::S_V>(EVENT_ID0);
      WaitFlag<HardEvent::S_V>(EVENT_ID0);
    }
    return total;
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> workBuf, sumBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t firstRow, lastRow, columns, chunk;
};

extern "C" __global__ __aicore__ void
row_sum(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelRowSum op;
  op.Init(x, y, t);
  op.Process();
}
