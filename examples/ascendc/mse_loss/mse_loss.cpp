// Mean squared error of two halves, as one float. Every core sums its part in
// UB and adds one number to the result with an atomic copy; the result starts
// at zero.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 4096;

class KernelMse {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR loss,
                              uint32_t total) {
    this->total = total;
    uint32_t blocks = (total + 15) / 16;
    begin = blocks * GetBlockIdx() / GetBlockNum() * 16;
    end = blocks * (GetBlockIdx() + 1) / GetBlockNum() * 16;
    end = end < total ? end : total;
    xGm.SetGlobalBuffer((__gm__ half *)x, total);
    yGm.SetGlobalBuffer((__gm__ half *)y, total);
    lossGm.SetGlobalBuffer((__gm__ float *)loss, 1);
    pipe.InitBuffer(inX, 2, TILE * sizeof(half));
    pipe.InitBuffer(inY, 2, TILE * sizeof(half));
    pipe.InitBuffer(outLoss, 1, 32);
    pipe.InitBuffer(wideX, TILE * sizeof(float));
    pipe.InitBuffer(wideY, TILE * sizeof(float));
    pipe.InitBuffer(workBuf, TILE * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<float> partial = outLoss.AllocTensor<float>();
    Duplicate(partial, 0.0f, 8);
    PipeBarrier<PIPE_V>();
    for (uint32_t at = begin; at < end; at += TILE) {
      uint32_t count = end - at < TILE ? end - at : TILE;
      CopyIn(at, count);
      Accumulate(partial, count);
    }
    Muls(partial, partial, 1.0f / total, 1);
    PipeBarrier<PIPE_V>();
    outLoss.EnQue(partial);
    partial = outLoss.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopyPad(lossGm, partial, {1, sizeof(float), 0, 0, 0});
    SetAtomicNone();
    outLoss.FreeTensor(partial);
  }

private:
  __aicore__ inline void CopyIn(uint32_t at, uint32_t count) {
    LocalTensor<half> x = inX.AllocTensor<half>();
    LocalTensor<half> y = inY.AllocTensor<half>();
    DataCopyExtParams piece{1, uint32_t(count * sizeof(half)), 0, 0, 0};
    DataCopyPad(x, xGm[at], piece, {false, 0, 0, 0});
    DataCopyPad(y, yGm[at], piece, {false, 0, 0, 0});
    inX.EnQue(x);
    inY.EnQue(y);
  }
  __aicore__ inline void Accumulate(const LocalTensor<float> &partial,
                                    uint32_t count) {
    LocalTensor<half> x = inX.DeQue<half>();
    LocalTensor<half> y = inY.DeQue<half>();
    LocalTensor<float> wx = wideX.Get<float>(), wy = wideY.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    Cast(wx, x, RoundMode::CAST_NONE, count);
    Cast(wy, y, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    inY.FreeTensor(y);
    Sub(wx, wx, wy, count);
    PipeBarrier<PIPE_V>();
    Mul(wx, wx, wx, count);
    PipeBarrier<PIPE_V>();
    ReduceSum(sum, wx, workBuf.Get<float>(), count);
    PipeBarrier<PIPE_V>();
    Add(partial, partial, sum, 1);
    PipeBarrier<PIPE_V>();
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX, inY;
  TQue<TPosition::VECOUT, 1> outLoss;
  TBuf<TPosition::VECCALC> wideX, wideY, workBuf, sumBuf;
  GlobalTensor<half> xGm, yGm;
  GlobalTensor<float> lossGm;
  uint32_t total, begin, end;
};

extern "C" __global__ __aicore__ void mse_loss(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR loss, uint32_t total) {
  KernelMse op;
  op.Init(x, y, loss, total);
  op.Process();
}
