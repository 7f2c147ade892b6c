// Linear regression, one core per rank. `gradient` is that of the squared error
// of some rows, scaled; `update` goes a step against it.
#include "kernel_operator.h"
using namespace AscendC;

class Gradient {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR t, GM_ADDR w, GM_ADDR g,
                              uint32_t rows, uint32_t columns, float scale) {
    this->rows = rows;
    this->columns = columns;
    this->scale = scale;
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    tGm.SetGlobalBuffer((__gm__ float *)t, rows);
    wGm.SetGlobalBuffer((__gm__ float *)w, columns);
    gGm.SetGlobalBuffer((__gm__ float *)g, columns);
    uint32_t bytes = (columns * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(inX, 2, bytes);
    pipe.InitBuffer(inW, 1, bytes);
    pipe.InitBuffer(outG, 1, bytes);
    pipe.InitBuffer(productBuf, bytes);
    pipe.InitBuffer(workBuf, bytes);
    pipe.InitBuffer(scalarBuf, 32);
  }
  __aicore__ inline void Process() {
    CopyIn(inW, wGm[0]);
    LocalTensor<float> w = inW.DeQue<float>();
    LocalTensor<float> g = outG.AllocTensor<float>();
    Duplicate(g, 0.0f, columns);
    PipeBarrier<PIPE_V>();
    for (uint32_t row = 0; row < rows; ++row) {
      CopyIn(inX, xGm[uint64_t(row) * columns]);
      AddRow(g, w, tGm.GetValue(row));
    }
    outG.EnQue(g);
    inW.FreeTensor(w);
    CopyOut();
  }

private:
  template <class Queue>
  __aicore__ inline void CopyIn(Queue &queue, const GlobalTensor<float> &from) {
    LocalTensor<float> to = queue.template AllocTensor<float>();
    DataCopyPad(to, from, {1, uint32_t(columns * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    queue.EnQue(to);
  }
  __aicore__ inline void AddRow(const LocalTensor<float> &g,
                                const LocalTensor<float> &w, float target) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> product = productBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    Mul(product, x, w, columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(scalar, product, work, columns);
    Axpy(g, x, (Read(scalar) - target) * scale, columns);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
  }
  __aicore__ inline float Read(const LocalTensor<float> &scalar) {
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    float value = scalar.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    return value;
  }
  __aicore__ inline void CopyOut() {
    LocalTensor<float> g = outG.DeQue<float>();
    DataCopyPad(gGm[0], g, {1, uint32_t(columns * sizeof(float)), 0, 0, 0});
    outG.FreeTensor(g);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECIN, 1> inW;
  TQue<TPosition::VECOUT, 1> outG;
  TBuf<TPosition::VECCALC> productBuf, workBuf, scalarBuf;
  GlobalTensor<float> xGm, tGm, wGm, gGm;
  uint32_t rows, columns;
  float scale;
};

extern "C" __global__ __aicore__ void gradient(GM_ADDR x, GM_ADDR t, GM_ADDR w,
                                               GM_ADDR g, uint32_t rows,
                                               uint32_t columns, float scale) {
  Gradient op;
  op.Init(x, t, w, g, rows, columns, scale);
  op.Process();
}

extern "C" __global__ __aicore__ void update(GM_ADDR w, GM_ADDR g,
                                             uint32_t columns, float rate) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> inW, inG;
  TQue<TPosition::VECOUT, 1> out;
  uint32_t bytes = (columns * sizeof(float) + 31) / 32 * 32;
  pipe.InitBuffer(inW, 1, bytes);
  pipe.InitBuffer(inG, 1, bytes);
  pipe.InitBuffer(out, 1, bytes);
  GlobalTensor<float> wGm, gGm;
  wGm.SetGlobalBuffer((__gm__ float *)w, columns);
  gGm.SetGlobalBuffer((__gm__ float *)g, columns);
  DataCopyExtParams piece{1, uint32_t(columns * sizeof(float)), 0, 0, 0};

  LocalTensor<float> old = inW.AllocTensor<float>();
  DataCopyPad(old, wGm[0], piece, {false, 0, 0, 0});
  inW.EnQue(old);
  LocalTensor<float> slope = inG.AllocTensor<float>();
  DataCopyPad(slope, gGm[0], piece, {false, 0, 0, 0});
  inG.EnQue(slope);

  old = inW.DeQue<float>();
  slope = inG.DeQue<float>();
  LocalTensor<float> next = out.AllocTensor<float>();
  Muls(next, slope, -rate, columns);
  PipeBarrier<PIPE_V>();
  Add(next, next, old, columns);
  out.EnQue(next);
  inW.FreeTensor(old);
  inG.FreeTensor(slope);

  next = out.DeQue<float>();
  DataCopyPad(wGm[0], next, piece);
  out.FreeTensor(next);
}
