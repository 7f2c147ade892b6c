// GELU in its tanh form: x / (1 + exp(-2u)), u = sqrt(2/pi) (x + 0.044715 x^3).
// Tiling structure by value; one buffer goes in and out (TQueBind).
#include "kernel_operator.h"
using namespace AscendC;

struct GeluTilingData {
  uint32_t total;
  uint32_t tile;
};

class KernelGelu {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const GeluTilingData &t) {
    uint32_t cores = GetBlockNum(), core = GetBlockIdx();
    uint32_t blocks = (t.total + 7) / 8;
    uint32_t begin = blocks * core / cores * 8;
    uint32_t end = blocks * (core + 1) / cores * 8;
    length = (end < t.total ? end : t.total) - begin;
    tile = t.tile;
    xGm.SetGlobalBuffer((__gm__ float *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ float *)y + begin, length);
    pipe.InitBuffer(que, 2, tile * sizeof(float));
    pipe.InitBuffer(tmpBuf, tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += tile) {
      uint32_t count = length - at < tile ? length - at : tile;
      DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
      LocalTensor<float> x = que.AllocTensor<float>();
      DataCopyPad(x, xGm[at], piece, {false, 0, 0, 0});
      que.EnQue<TPosition::GM, TPosition::VECIN, float>(x);
      x = que.DeQue<TPosition::GM, TPosition::VECIN, float>();
      Compute(x, count);
      que.EnQue<TPosition::VECOUT, TPosition::GM, float>(x);
      x = que.DeQue<TPosition::VECOUT, TPosition::GM, float>();
      DataCopyPad(yGm[at], x, piece);
      que.FreeTensor(x);
    }
  }

private:
  __aicore__ inline void Compute(const LocalTensor<float> &x, uint32_t count) {
    constexpr float CUBIC = 0.044715f;
    constexpr float MINUS_TWO_SQRT_2_PI = -1.5957691216057308f;
    LocalTensor<float> t = tmpBuf.Get<float>();
    Mul(t, x, x, count); // t = -2u, by Horner: x (1 + c x^2) * factor
    PipeBarrier<PIPE_V>();
    Muls(t, t, CUBIC, count);
    PipeBarrier<PIPE_V>();
    Adds(t, t, 1.0f, count);
    PipeBarrier<PIPE_V>();
    Mul(t, t, x, count);
    PipeBarrier<PIPE_V>();
    Muls(t, t, MINUS_TWO_SQRT_2_PI, count);
    PipeBarrier<PIPE_V>();
    Exp(t, t, count);
    PipeBarrier<PIPE_V>();
    Adds(t, t, 1.0f, count);
    PipeBarrier<PIPE_V>();
    Div(x, x, t, count);
    PipeBarrier<PIPE_V>(); // the next tile writes t again
  }

  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  TBuf<TPosition::VECCALC> tmpBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t length, tile;
};

extern "C" __global__ __aicore__ void gelu(GM_ADDR x, GM_ADDR y,
                                           GeluTilingData tiling) {
  KernelGelu op;
  op.Init(x, y, tiling);
  op.Process();
}
