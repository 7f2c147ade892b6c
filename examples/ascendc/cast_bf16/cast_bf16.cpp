// half to bfloat16. There is no direct conversion: the way goes through float,
// exact on the way up, rounded once on the way down.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 4096;

class KernelCast {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t blocks = (total + 15) / 16;
    begin = blocks * core / cores * 16;
    end = blocks * (core + 1) / cores * 16;
    end = end < total ? end : total;
    xGm.SetGlobalBuffer((__gm__ half *)x, total);
    yGm.SetGlobalBuffer((__gm__ bfloat16_t *)y, total);
    pipe.InitBuffer(inX, 2, TILE * sizeof(half));
    pipe.InitBuffer(outY, 2, TILE * sizeof(bfloat16_t));
    pipe.InitBuffer(wideBuf, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    // The load of the next tile is issued before the current one is computed.
    if (begin < end)
      CopyIn(begin);
    for (uint32_t at = begin; at < end; at += TILE) {
      if (at + TILE < end)
        CopyIn(at + TILE);
      Compute(Count(at));
      CopyOut(at);
    }
  }

private:
  __aicore__ inline uint32_t Count(uint32_t at) {
    return end - at < TILE ? end - at : TILE;
  }
  __aicore__ inline void CopyIn(uint32_t at) {
    LocalTensor<half> x = inX.AllocTensor<half>();
    DataCopyPad(x, xGm[at], {1, uint32_t(Count(at) * sizeof(half)), 0, 0, 0},
                {false, 0, 0, 0});
    inX.EnQue(x);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<half> x = inX.DeQue<half>();
    LocalTensor<bfloat16_t> y = outY.AllocTensor<bfloat16_t>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    Cast(wide, x, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
    Cast(y, wide, RoundMode::CAST_RINT, count);
    PipeBarrier<PIPE_V>(); // the next tile writes `wide` again
    inX.FreeTensor(x);
    outY.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t at) {
    LocalTensor<bfloat16_t> y = outY.DeQue<bfloat16_t>();
    DataCopyPad(yGm[at], y,
                {1, uint32_t(Count(at) * sizeof(bfloat16_t)), 0, 0, 0});
    outY.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> wideBuf;
  GlobalTensor<half> xGm;
  GlobalTensor<bfloat16_t> yGm;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void cast_bf16(GM_ADDR x, GM_ADDR y,
                                                uint32_t total) {
  KernelCast op;
  op.Init(x, y, total);
  op.Process();
}
