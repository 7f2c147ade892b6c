// Layer normalisation: y = (x - mean) / sqrt(var + eps) * gamma + beta. Gamma
// and beta are loaded once and stay in UB; rows stream through the queues.
#include "kernel_operator.h"
using namespace AscendC;

struct LayerNormTilingData {
  uint32_t rows;
  uint32_t columns;
  float eps;
};
REGISTER_TILING_DEFAULT(LayerNormTilingData);

class KernelLayerNorm {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
                              const LayerNormTilingData &t) {
    columns = t.columns;
    eps = t.eps;
    firstRow = t.rows * GetBlockIdx() / GetBlockNum();
    lastRow = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(t.rows) * columns);
    gammaGm.SetGlobalBuffer((__gm__ float *)gamma, columns);
    betaGm.SetGlobalBuffer((__gm__ float *)beta, columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(t.rows) * columns);
    uint32_t bytes = (columns * sizeof(float) + 31) / 32 * 32;
    pipe.InitBuffer(inX, 2, bytes);
    pipe.InitBuffer(outY, 2, bytes);
    pipe.InitBuffer(inGamma, 1, bytes);
    pipe.InitBuffer(inBeta, 1, bytes);
    pipe.InitBuffer(squareBuf, bytes);
    pipe.InitBuffer(workBuf, bytes);
    pipe.InitBuffer(scalarBuf, 32);
  }
  __aicore__ inline void Process() {
    Load(inGamma, gammaGm);
    Load(inBeta, betaGm);
    LocalTensor<float> gamma = inGamma.DeQue<float>();
    LocalTensor<float> beta = inBeta.DeQue<float>();
    for (uint32_t row = firstRow; row < lastRow; ++row) {
      Load(inX, xGm[uint64_t(row) * columns]);
      Compute(gamma, beta);
      LocalTensor<float> y = outY.DeQue<float>();
      DataCopyPad(yGm[uint64_t(row) * columns], y,
                  {1, uint32_t(columns * sizeof(float)), 0, 0, 0});
      outY.FreeTensor(y);
    }
    inGamma.FreeTensor(gamma);
    inBeta.FreeTensor(beta);
  }

private:
  template <typename Queue>
  __aicore__ inline void Load(Queue &que, const GlobalTensor<float> &from) {
    LocalTensor<float> t = que.template AllocTensor<float>();
    DataCopyPad(t, from, {1, uint32_t(columns * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    que.EnQue(t);
  }
  __aicore__ inline void Compute(const LocalTensor<float> &gamma,
                                 const LocalTensor<float> &beta) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> y = outY.AllocTensor<float>();
    LocalTensor<float> square = squareBuf.Get<float>();
    float mean = Mean(x);
    Adds(y, x, -mean, columns);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    Mul(square, y, y, columns);
    PipeBarrier<PIPE_V>();
    float deviation = sqrt(Mean(square) + eps);
    Muls(y, y, 1.0f / deviation, columns);
    PipeBarrier<PIPE_V>();
    Mul(y, y, gamma, columns);
    PipeBarrier<PIPE_V>();
    Add(y, y, beta, columns);
    PipeBarrier<PIPE_V>();
    outY.EnQue(y);
  }
  __aicore__ inline float Mean(const LocalTensor<float> &x) {
    LocalTensor<float> scalar = scalarBuf.Get<float>();
    ReduceSum(scalar, x, workBuf.Get<float>(), columns);
    TEventID toScalar = GetTPipePtr()->FetchEventID<HardEvent::V_S>();
    SetFlag<HardEvent::V_S>(toScalar);
    WaitFlag<HardEvent::V_S>(toScalar);
    float mean = scalar.GetValue(0) / columns;
    TEventID toVector = GetTPipePtr()->FetchEventID<HardEvent::S_V>();
    SetFlag<HardEvent::S_V>(toVector);
    WaitFlag<HardEvent::S_V>(toVector);
    return mean;
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECIN, 1> inGamma, inBeta;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> squareBuf, workBuf, scalarBuf;
  GlobalTensor<float> xGm, gammaGm, betaGm, yGm;
  uint32_t columns, firstRow, lastRow;
  float eps;
};

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma,
                                                 GM_ADDR beta, GM_ADDR y,
                                                 GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelLayerNorm op;
  op.Init(x, gamma, beta, y, t);
  op.Process();
}
