// RMS normalisation of bfloat16 rows with a bfloat16 weight: y = x /
// sqrt(mean(x^2) + eps) * weight. The pipe lives in the kernel function and is
// handed to the class, which keeps TPipe out of the object as the guide
// advises.
#include "kernel_operator.h"
using namespace AscendC;

struct RmsNormTilingData {
  uint32_t rows;
  uint32_t columns;
  float eps;
};
REGISTER_TILING_DEFAULT(RmsNormTilingData);

template <typename T> class KernelRmsNorm {
public:
  __aicore__ inline KernelRmsNorm(TPipe *pipe, const RmsNormTilingData &t)
      : pipe(pipe), columns(t.columns), eps(t.eps) {
    firstRow = t.rows * GetBlockIdx() / GetBlockNum();
    lastRow = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
  }
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR weight, GM_ADDR y) {
    xGm.SetGlobalBuffer((__gm__ T *)x);
    weightGm.SetGlobalBuffer((__gm__ T *)weight, columns);
    yGm.SetGlobalBuffer((__gm__ T *)y);
    uint32_t padded = (columns + 15) / 16 * 16;
    pipe->InitBuffer(inX, 2, padded * sizeof(T));
    pipe->InitBuffer(inWeight, 1, padded * sizeof(T));
    pipe->InitBuffer(outY, 2, padded * sizeof(T));
    pipe->InitBuffer(weightBuf, padded * sizeof(float));
    pipe->InitBuffer(xBuf, padded * sizeof(float));
    pipe->InitBuffer(squareBuf, padded * sizeof(float));
    pipe->InitBuffer(workBuf, padded * sizeof(float));
    pipe->InitBuffer(scalarBuf, 32);
  }
  __aicore__ inline void Process() {
    LoadWeight();
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      CopyIn(row);
      Compute();
      CopyOut(row);
    }
  }

private:
  __aicore__ inline DataCopyExtParams RowOfX() {
    return {1, uint32_t(columns * sizeof(T)), 0, 0, 0};
  }
  __aicore__ inline void LoadWeight() {
    LocalTensor<T> weight = inWeight.template AllocTensor<T>();
    DataCopyPad(weight, weightGm, RowOfX(),
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    inWeight.EnQue(weight);
    weight = inWeight.template DeQue<T>();
    Cast(weightBuf.Get<float>(), weight, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    inWeight.FreeTensor(weight);
  }
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<T> x = inX.template AllocTensor<T>();
    DataCopyPad(x, xGm[uint64_t(row) * columns], RowOfX(),
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    inX.EnQue(x);
  }
  __aicore__ inline void Compute() {
    LocalTensor<T> narrow = inX.template DeQue<T>();
    LocalTensor<float> x = xBuf.Get<float>(), square = squareBuf.Get<float>();
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    Cast(x, narrow, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(narrow);
    Mul(square, x, x, columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(scalar, square, workBuf.Get<float>(), columns);
    PipeBarrier<PIPE_V>();
    // 1 / sqrt(mean + eps), without leaving the vector unit for the root.
    Muls(scalar, scalar, 1.0f / columns, 1);
    PipeBarrier<PIPE_V>();
    Adds(scalar, scalar, eps, 1);
    PipeBarrier<PIPE_V>();
    Sqrt(scalar, scalar, 1);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    float factor = 1.0f / scalar.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    Muls(x, x, factor, columns);
    PipeBarrier<PIPE_V>();
    Mul(x, x, weightBuf.Get<float>(), columns);
    PipeBarrier<PIPE_V>();
    LocalTensor<T> y = outY.template AllocTensor<T>();
    Cast(y, x, RoundMode::CAST_RINT, columns);
    PipeBarrier<PIPE_V>();
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<T> y = outY.template DeQue<T>();
    DataCopyPad(yGm[uint64_t(row) * columns], y, RowOfX());
    outY.FreeTensor(y);
  }

  TPipe *pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECIN, 1> inWeight;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> weightBuf, xBuf, squareBuf, workBuf, scalarBuf;
  GlobalTensor<T> xGm, weightGm, yGm;
  uint32_t columns, firstRow, lastRow;
  float eps;
};

extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR weight,
                                               GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(1)) {
    KernelRmsNorm<bfloat16_t> op(&pipe, t);
    op.Init(x, weight, y);
    op.Process();
  } else if (TILING_KEY_IS(2)) {
    KernelRmsNorm<half> op(&pipe, t);
    op.Init(x, weight, y);
    op.Process();
  }
}
