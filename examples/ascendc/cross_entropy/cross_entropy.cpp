// Cross entropy of each row of logits with its label: ln(sum(exp(x - max))) +
// max - x[label]. Labels are read by the scalar unit straight from global
// memory; the losses of a core leave together.
#include "kernel_operator.h"
using namespace AscendC;

class KernelCrossEntropy {
public:
  __aicore__ inline void Init(GM_ADDR logits, GM_ADDR labels, GM_ADDR loss,
                              uint32_t rows, uint32_t classes) {
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    this->classes = classes;
    logitsGm.SetGlobalBuffer((__gm__ float *)logits, uint64_t(rows) * classes);
    labelsGm.SetGlobalBuffer((__gm__ int32_t *)labels, rows);
    lossGm.SetGlobalBuffer((__gm__ float *)loss, rows);
    uint32_t bytes = (classes * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(inX, 2, bytes);
    pipe.InitBuffer(workBuf, bytes);
    pipe.InitBuffer(scalarBuf, 32);
    pipe.InitBuffer(lossBuf,
                    ((lastRow - firstRow) * sizeof(float) / 32 + 1) * 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<float> loss = lossBuf.Get<float>();
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, logitsGm[uint64_t(row) * classes],
                  {1, uint32_t(classes * sizeof(float)), 0, 0, 0},
                  {false, 0, 0, 0});
      inX.EnQue(x);
      loss.SetValue(row - firstRow, LossOf(labelsGm.GetValue(row)));
    }
    if (firstRow == lastRow)
      return;
    Order<HardEvent::S_MTE3>();
    DataCopyPad(lossGm[firstRow], loss,
                {1, uint32_t((lastRow - firstRow) * sizeof(float)), 0, 0, 0});
  }

private:
  __aicore__ inline float LossOf(int32_t label) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    ReduceMax(scalar, x, work, classes);
    Order<HardEvent::V_S>();
    float max = scalar.GetValue(0);
    // DeQue orders the vector unit after the load, and V_S the scalar unit
    // after that: reading the row itself is safe here.
    float chosen = x.GetValue(label);
    Order<HardEvent::S_V>();
    Adds(x, x, -max, classes);
    PipeBarrier<PIPE_V>();
    Exp(x, x, classes);
    PipeBarrier<PIPE_V>();
    ReduceSum(scalar, x, work, classes);
    PipeBarrier<PIPE_V>();
    Ln(scalar, scalar, 1);
    Order<HardEvent::V_S>();
    float loss = scalar.GetValue(0) + max - chosen;
    Order<HardEvent::S_V>();
    inX.FreeTensor(x);
    return loss;
  }
  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TBuf<TPosition::VECCALC> workBuf, scalarBuf, lossBuf;
  GlobalTensor<float> logitsGm, lossGm;
  GlobalTensor<int32_t> labelsGm;
  uint32_t firstRow, lastRow, classes;
};

extern "C" __global__ __aicore__ void cross_entropy(GM_ADDR logits,
                                                    GM_ADDR labels,
                                                    GM_ADDR loss, uint32_t rows,
                                                    uint32_t classes) {
  KernelCrossEntropy op;
  op.Init(logits, labels, loss, rows, classes);
  op.Process();
}
