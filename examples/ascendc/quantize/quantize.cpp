// Quantises each row of floats to int8 with the row's own scale:
// scale = max|x| / 127, q = rint(x / scale). The scale is a scalar between two
// vector steps, so the scalar unit waits for the vector unit, and the vector
// unit for the scalar unit.
#include "kernel_operator.h"
using namespace AscendC;

class KernelQuantize {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR q, GM_ADDR scale,
                              uint32_t rows, uint32_t columns) {
    firstRow = rows * GetBlockIdx() / GetBlockNum();
    lastRow = rows * (GetBlockIdx() + 1) / GetBlockNum();
    this->columns = columns;
    padded = (columns + 31) / 32 * 32; // whole blocks of int8
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    qGm.SetGlobalBuffer((__gm__ int8_t *)q, uint64_t(rows) * columns);
    scaleGm.SetGlobalBuffer((__gm__ float *)scale, rows);
    pipe.InitBuffer(inX, 2, padded * sizeof(float));
    pipe.InitBuffer(outQ, 2, padded);
    pipe.InitBuffer(outScale, 2, 32);
    pipe.InitBuffer(absBuf, padded * sizeof(float));
    pipe.InitBuffer(halfBuf, padded * sizeof(half));
    pipe.InitBuffer(workBuf, padded * sizeof(float));
    pipe.InitBuffer(maxBuf, 32);
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
    LocalTensor<float> magnitude = absBuf.Get<float>();
    LocalTensor<float> largest = maxBuf.Get<float>();
    LocalTensor<half> narrow = halfBuf.Get<half>();
    Abs(magnitude, x, columns);
    PipeBarrier<PIPE_V>();
    ReduceMax(largest, magnitude, workBuf.Get<float>(), columns);
    Order<HardEvent::V_S>();
    float max = largest.GetValue(0);
    float scale = max > 0 ? max / 127.0f : 1.0f;
    LocalTensor<float> s = outScale.AllocTensor<float>();
    Order<HardEvent::S_V>();
    Duplicate(s, scale, 8);
    Muls(x, x, 1.0f / scale, columns);
    PipeBarrier<PIPE_V>();
    // float rounds to an integer first; half holds integers up to 2048 exactly.
    Cast(x, x, RoundMode::CAST_RINT, columns);
    PipeBarrier<PIPE_V>();
    Cast(narrow, x, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    LocalTensor<int8_t> q = outQ.AllocTensor<int8_t>();
    Cast(q, narrow, RoundMode::CAST_NONE, columns);
    outQ.EnQue(q);
    outScale.EnQue(s);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<int8_t> q = outQ.DeQue<int8_t>();
    LocalTensor<float> s = outScale.DeQue<float>();
    DataCopyPad(qGm[uint64_t(row) * columns], q, {1, columns, 0, 0, 0});
    DataCopyPad(scaleGm[row], s, {1, sizeof(float), 0, 0, 0});
    outQ.FreeTensor(q);
    outScale.FreeTensor(s);
  }
  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outQ, outScale;
  TBuf<TPosition::VECCALC> absBuf, halfBuf, workBuf, maxBuf;
  GlobalTensor<float> xGm, scaleGm;
  GlobalTensor<int8_t> qGm;
  uint32_t firstRow, lastRow, columns, padded;
};

extern "C" __global__ __aicore__ void
quantize(GM_ADDR x, GM_ADDR q, GM_ADDR scale, uint32_t rows, uint32_t columns) {
  KernelQuantize op;
  op.Init(x, q, scale, rows, columns);
  op.Process();
}
