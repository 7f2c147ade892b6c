// Softmax over the rows of a matrix of floats, by instructions: the maximum is
// subtracted, so nothing overflows.
#include "kernel_operator.h"
using namespace AscendC;

class KernelSoftmax {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows,
                              uint32_t columns) {
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    this->columns = columns;
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);
    uint32_t bytes = (columns * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(inX, 2, bytes);
    pipe.InitBuffer(outY, 2, bytes);
    pipe.InitBuffer(workBuf, bytes);
    pipe.InitBuffer(scalarBuf, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      CopyIn(row);
      Compute();
      CopyOut(row);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    DataCopyPad(x, xGm[uint64_t(row) * columns],
                {1, uint32_t(columns * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    inX.EnQue(x);
  }
  __aicore__ inline void Compute() {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> y = outY.AllocTensor<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    ReduceMax(scalar, x, work, columns);
    float max = Read(scalar);
    Adds(y, x, -max, columns);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    Exp(y, y, columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(scalar, y, work, columns);
    float sum = Read(scalar);
    Muls(y, y, 1.0f / sum, columns);
    PipeBarrier<PIPE_V>();
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<float> y = outY.DeQue<float>();
    DataCopyPad(yGm[uint64_t(row) * columns], y,
                {1, uint32_t(columns * sizeof(float)), 0, 0, 0});
    outY.FreeTensor(y);
  }
  /// The vector unit's result, for the scalar unit; and the vector unit may
  /// write there again only when it has been read.
  __aicore__ inline float Read(const LocalTensor<float> &scalar) {
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    float value = scalar.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    return value;
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> workBuf, scalarBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t firstRow, lastRow, columns;
};

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y,
                                              uint32_t rows, uint32_t columns) {
  KernelSoftmax op;
  op.Init(x, y, rows, columns);
  op.Process();
}
