// Mean and (biased) variance of each row in two passes over UB: the variance is
// the mean of squared distances, which loses nothing when the mean is large.
#include "kernel_operator.h"
using namespace AscendC;

class KernelMeanVar {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR mean, GM_ADDR var,
                              uint32_t rows, uint32_t columns) {
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    this->columns = columns;
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    meanGm.SetGlobalBuffer((__gm__ float *)mean, rows);
    varGm.SetGlobalBuffer((__gm__ float *)var, rows);
    uint32_t bytes = (columns * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(inX, 2, bytes);
    pipe.InitBuffer(outMean, 2, 32);
    pipe.InitBuffer(outVar, 2, 32);
    pipe.InitBuffer(workBuf, bytes);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, xGm[uint64_t(row) * columns],
                  {1, uint32_t(columns * sizeof(float)), 0, 0, 0},
                  {false, 0, 0, 0});
      inX.EnQue(x);
      Compute();
      Store(outMean, meanGm[row]);
      Store(outVar, varGm[row]);
    }
  }

private:
  using OutQueue = TQue<TPosition::VECOUT, 2>;

  __aicore__ inline void Compute() {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> mean = outMean.AllocTensor<float>();
    LocalTensor<float> var = outVar.AllocTensor<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    ReduceSum(mean, x, work, columns);
    PipeBarrier<PIPE_V>();
    Muls(mean, mean, 1.0f / columns, 1);
    TEventID id = GetTPipePtr()->FetchEventID<HardEvent::V_S>();
    SetFlag<HardEvent::V_S>(id);
    WaitFlag<HardEvent::V_S>(id);
    Adds(x, x, -mean.GetValue(0), columns);
    PipeBarrier<PIPE_V>();
    Mul(x, x, x, columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(var, x, work, columns);
    PipeBarrier<PIPE_V>();
    Muls(var, var, 1.0f / columns, 1);
    inX.FreeTensor(x);
    outMean.EnQue(mean);
    outVar.EnQue(var);
  }
  __aicore__ inline void Store(OutQueue &que, const GlobalTensor<float> &to) {
    LocalTensor<float> t = que.DeQue<float>();
    DataCopyPad(to, t, {1, sizeof(float), 0, 0, 0});
    que.FreeTensor(t);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  OutQueue outMean, outVar;
  TBuf<TPosition::VECCALC> workBuf;
  GlobalTensor<float> xGm, meanGm, varGm;
  uint32_t firstRow, lastRow, columns;
};

extern "C" __global__ __aicore__ void mean_var(GM_ADDR x, GM_ADDR mean,
                                               GM_ADDR var, uint32_t rows,
                                               uint32_t columns) {
  KernelMeanVar op;
  op.Init(x, mean, var, rows, columns);
  op.Process();
}
