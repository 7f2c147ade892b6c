// sigmoid(x) = 1 / (1 + exp(-x)) on half, computed in float: cast up, compute,
// cast down. Vector instructions that depend on each other are ordered by
// PipeBarrier, so the kernel is right with and without the compiler's help.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2048;

class KernelSigmoid {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t blocks = (total + 15) / 16; // 16 halves are a block
    uint32_t begin = blocks * core / cores * 16;
    uint32_t end = blocks * (core + 1) / cores * 16;
    length = (end < total ? end : total) - begin;
    xGm.SetGlobalBuffer((__gm__ half *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ half *)y + begin, length);
    pipe.InitBuffer(inX, 2, TILE * sizeof(half));
    pipe.InitBuffer(outY, 2, TILE * sizeof(half));
    pipe.InitBuffer(wideBuf, TILE * sizeof(float));
    pipe.InitBuffer(oneBuf, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    Duplicate(oneBuf.Get<float>(), 1.0f, TILE);
    PipeBarrier<PIPE_V>();
    for (uint32_t at = 0; at < length; at += TILE) {
      uint32_t count = length - at < TILE ? length - at : TILE;
      CopyIn(at, count);
      Compute(count);
      CopyOut(at, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t at, uint32_t count) {
    LocalTensor<half> x = inX.AllocTensor<half>();
    DataCopyPad(x, xGm[at], {1, uint32_t(count * sizeof(half)), 0, 0, 0},
                {false, 0, 0, 0});
    inX.EnQue(x);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<half> x = inX.DeQue<half>();
    LocalTensor<half> y = outY.AllocTensor<half>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    LocalTensor<float> one = oneBuf.Get<float>();
    Cast(wide, x, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    Muls(wide, wide, -1.0f, count);
    PipeBarrier<PIPE_V>();
    Exp(wide, wide, count);
    PipeBarrier<PIPE_V>();
    Adds(wide, wide, 1.0f, count);
    PipeBarrier<PIPE_V>();
    Div(wide, one, wide, count);
    PipeBarrier<PIPE_V>();
    Cast(y, wide, RoundMode::CAST_RINT, count);
    PipeBarrier<PIPE_V>();
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
    LocalTensor<half> y = outY.DeQue<half>();
    DataCopyPad(yGm[at], y, {1, uint32_t(count * sizeof(half)), 0, 0, 0});
    outY.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> wideBuf, oneBuf;
  GlobalTensor<half> xGm, yGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void sigmoid(GM_ADDR x, GM_ADDR y,
                                              uint32_t total) {
  KernelSigmoid op;
  op.Init(x, y, total);
  op.Process();
}
