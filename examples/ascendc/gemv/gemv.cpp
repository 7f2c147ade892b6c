// y = A x for a matrix of halves, on the vector unit: x stays in UB as float,
// rows stream through. Each row is multiplied and summed in float; products of
// halves are exact there.
#include "kernel_operator.h"
using namespace AscendC;

struct GemvTilingData {
  uint32_t rows, columns;
};
REGISTER_TILING_DEFAULT(GemvTilingData);

class KernelGemv {
public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR x, GM_ADDR y,
                              const GemvTilingData &t) {
    columns = t.columns;
    // Whole blocks of the result per core, so that no two share one.
    uint32_t groups = (t.rows + 7) / 8;
    firstRow = groups * GetBlockIdx() / GetBlockNum() * 8;
    lastRow = groups * (GetBlockIdx() + 1) / GetBlockNum() * 8;
    lastRow = lastRow < t.rows ? lastRow : t.rows;
    aGm.SetGlobalBuffer((__gm__ half *)a, uint64_t(t.rows) * columns);
    xGm.SetGlobalBuffer((__gm__ half *)x, columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, t.rows);
    uint32_t padded = (columns + 15) / 16 * 16;
    pipe.InitBuffer(inA, 2, padded * sizeof(half));
    pipe.InitBuffer(xBuf, padded * sizeof(float));
    pipe.InitBuffer(rowBuf, padded * sizeof(float));
    pipe.InitBuffer(workBuf, padded * sizeof(float));
    pipe.InitBuffer(outY, 2, 8 * 32);
  }
  __aicore__ inline void Process() {
    Load(xGm);
    LocalTensor<half> narrow = inA.DeQue<half>();
    Cast(xBuf.Get<float>(), narrow, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    inA.FreeTensor(narrow);
    for (uint32_t row = firstRow; row < lastRow; row += 8) {
      uint32_t rows = lastRow - row < 8 ? lastRow - row : 8;
      LocalTensor<float> y = outY.AllocTensor<float>();
      for (uint32_t i = 0; i < rows; ++i)
        DotRow(row + i, y[i * 8]); // each sum at the start of a block
      outY.EnQue(y);
      y = outY.DeQue<float>();
      // One float of each block: a burst of four bytes per row.
      DataCopyExtParams sums(rows, sizeof(float), 0, 0, 0);
      DataCopyPad(yGm[row], y, sums);
      outY.FreeTensor(y);
    }
  }

private:
  __aicore__ inline void Load(const GlobalTensor<half> &from) {
    LocalTensor<half> t = inA.AllocTensor<half>();
    DataCopyPad(t, from, {1, uint32_t(columns * sizeof(half)), 0, 0, 0},
                {false, 0, 0, 0});
    inA.EnQue(t);
  }
  __aicore__ inline void DotRow(uint32_t row, const LocalTensor<float> &sum) {
    Load(aGm[uint64_t(row) * columns]);
    LocalTensor<half> narrow = inA.DeQue<half>();
    LocalTensor<float> wide = rowBuf.Get<float>();
    Cast(wide, narrow, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    inA.FreeTensor(narrow);
    Mul(wide, wide, xBuf.Get<float>(), columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(sum, wide, workBuf.Get<float>(), columns);
    PipeBarrier<PIPE_V>();
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inA;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> xBuf, rowBuf, workBuf;
  GlobalTensor<half> aGm, xGm;
  GlobalTensor<float> yGm;
  uint32_t columns, firstRow, lastRow;
};

extern "C" __global__ __aicore__ void gemv(GM_ADDR a, GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelGemv op;
  op.Init(a, x, y, t);
  op.Process();
}
