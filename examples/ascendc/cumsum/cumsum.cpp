// Prefix sums down the columns of a matrix. Each core owns a strip of columns
// and keeps its sums in UB; a row depends on the one before, so the sums stay
// on the vector unit and only copies of them leave.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t MAX_STRIP = 2048; // columns of a strip at a time

class KernelCumsum {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows,
                              uint32_t columns) {
    this->rows = rows;
    this->columns = columns;
    uint32_t blocks = (columns + 7) / 8; // strips begin at whole blocks
    begin = blocks * GetBlockIdx() / GetBlockNum() * 8;
    end = blocks * (GetBlockIdx() + 1) / GetBlockNum() * 8;
    end = end < columns ? end : columns;
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);
    pipe.InitBuffer(inX, 2, MAX_STRIP * sizeof(float));
    pipe.InitBuffer(outY, 2, MAX_STRIP * sizeof(float));
    pipe.InitBuffer(sumBuf, MAX_STRIP * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = begin; at < end; at += MAX_STRIP)
      Strip(at, end - at < MAX_STRIP ? end - at : MAX_STRIP);
  }

private:
  __aicore__ inline void Strip(uint32_t column, uint32_t count) {
    DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(sum, 0.0f, count);
    PipeBarrier<PIPE_V>();
    for (uint32_t row = 0; row < rows; ++row) {
      uint64_t at = uint64_t(row) * columns + column;
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, xGm[at], piece, {false, 0, 0, 0});
      inX.EnQue(x);
      x = inX.DeQue<float>();
      LocalTensor<float> y = outY.AllocTensor<float>();
      Add(sum, sum, x, count);
      PipeBarrier<PIPE_V>();
      Adds(y, sum, 0.0f, count);
      PipeBarrier<PIPE_V>();
      inX.FreeTensor(x);
      outY.EnQue(y);
      y = outY.DeQue<float>();
      DataCopyPad(yGm[at], y, piece);
      outY.FreeTensor(y);
    }
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> sumBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t rows, columns, begin, end;
};

extern "C" __global__ __aicore__ void cumsum(GM_ADDR x, GM_ADDR y,
                                             uint32_t rows, uint32_t columns) {
  KernelCumsum op;
  op.Init(x, y, rows, columns);
  op.Process();
}
