// silu(x) = x * sigmoid(x) on bfloat16. The vector unit has no bfloat16
// arithmetic: values are cast to float and back. Flags come from the pipe
// (FetchEventID), and one buffer per direction is enough to show the order.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 4096;

class KernelSilu {
public:
  __aicore__ inline void Init(TPipe *pipe, GM_ADDR x, GM_ADDR y,
                              uint32_t total) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t blocks = (total + 15) / 16;
    uint32_t begin = blocks * core / cores * 16;
    uint32_t end = blocks * (core + 1) / cores * 16;
    length = (end < total ? end : total) - begin;
    xGm.SetGlobalBuffer((__gm__ bfloat16_t *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ bfloat16_t *)y + begin, length);
    pipe->InitBuffer(narrowBuf, TILE * sizeof(bfloat16_t));
    pipe->InitBuffer(wideBuf, TILE * sizeof(float));
    pipe->InitBuffer(expBuf, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    LocalTensor<bfloat16_t> narrow = narrowBuf.Get<bfloat16_t>();
    for (uint32_t at = 0; at < length; at += TILE) {
      uint32_t count = length - at < TILE ? length - at : TILE;
      DataCopyExtParams piece{1, uint32_t(count * sizeof(bfloat16_t)), 0, 0, 0};
      DataCopyPad(narrow, xGm[at], piece, {false, 0, 0, 0});
      Order<HardEvent::MTE2_V>();
      Compute(narrow, count);
      Order<HardEvent::V_MTE3>();
      DataCopyPad(yGm[at], narrow, piece);
      Order<HardEvent::MTE3_MTE2>(); // the buffer is loaded again
    }
  }

private:
  /// Whatever the second pipe does from here on waits for the first.
  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }
  __aicore__ inline void Compute(const LocalTensor<bfloat16_t> &narrow,
                                 uint32_t count) {
    LocalTensor<float> x = wideBuf.Get<float>(), e = expBuf.Get<float>();
    Cast(x, narrow, RoundMode::CAST_NONE, count);
    PipeBarrier<PIPE_V>();
    Muls(e, x, -1.0f, count);
    PipeBarrier<PIPE_V>();
    Exp(e, e, count);
    PipeBarrier<PIPE_V>();
    Adds(e, e, 1.0f, count);
    PipeBarrier<PIPE_V>();
    Div(x, x, e, count);
    PipeBarrier<PIPE_V>();
    Cast(narrow, x, RoundMode::CAST_RINT, count);
  }

  TBuf<TPosition::VECCALC> narrowBuf, wideBuf, expBuf;
  GlobalTensor<bfloat16_t> xGm, yGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void silu(GM_ADDR x, GM_ADDR y,
                                           uint32_t total) {
  TPipe pipe;
  KernelSilu op;
  op.Init(&pipe, x, y, total);
  op.Process();
}
