// y = keep ? x / (1 - p) : 0 with the mask as bits that the host drew, eight
// elements per byte: Select reads them as they are.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 128; // halves in a repeat
constexpr uint32_t TILE = 16 * LANES;

class KernelDropout {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR mask, GM_ADDR y, float p,
                              uint32_t total) {
    uint32_t tiles = (total + TILE - 1) / TILE;
    begin = tiles * GetBlockIdx() / GetBlockNum() * TILE;
    end = tiles * (GetBlockIdx() + 1) / GetBlockNum() * TILE;
    end = end < total ? end : total;
    factor = static_cast<half>(1.0f / (1.0f - p));
    xGm.SetGlobalBuffer((__gm__ half *)x, total);
    maskGm.SetGlobalBuffer((__gm__ uint8_t *)mask, (total + 7) / 8);
    yGm.SetGlobalBuffer((__gm__ half *)y, total);
    pipe.InitBuffer(inX, 2, TILE * sizeof(half));
    pipe.InitBuffer(inMask, 2, TILE / 8);
    pipe.InitBuffer(outY, 2, TILE * sizeof(half));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = begin; at < end; at += TILE) {
      uint32_t count = end - at < TILE ? end - at : TILE;
      LocalTensor<half> x = inX.AllocTensor<half>();
      LocalTensor<uint8_t> mask = inMask.AllocTensor<uint8_t>();
      DataCopyPad(x, xGm[at], {1, uint32_t(count * sizeof(half)), 0, 0, 0},
                  {false, 0, 0, 0});
      DataCopyPad(mask, maskGm[at / 8], {1, (count + 7) / 8, 0, 0, 0},
                  {false, 0, 0, 0});
      inX.EnQue(x);
      inMask.EnQue(mask);

      x = inX.DeQue<half>();
      mask = inMask.DeQue<uint8_t>();
      LocalTensor<half> y = outY.AllocTensor<half>();
      uint32_t lanes = (count + LANES - 1) / LANES * LANES;
      Muls(x, x, factor, lanes);
      PipeBarrier<PIPE_V>();
      Select(y, mask, x, half(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, lanes);
      inX.FreeTensor(x);
      inMask.FreeTensor(mask);
      outY.EnQue(y);

      y = outY.DeQue<half>();
      DataCopyPad(yGm[at], y, {1, uint32_t(count * sizeof(half)), 0, 0, 0});
      outY.FreeTensor(y);
    }
  }

private:
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX, inMask;
  TQue<TPosition::VECOUT, 2> outY;
  GlobalTensor<half> xGm, yGm;
  GlobalTensor<uint8_t> maskGm;
  half factor;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void
dropout(GM_ADDR x, GM_ADDR mask, GM_ADDR y, float p, uint32_t total) {
  KernelDropout op;
  op.Init(x, mask, y, p, total);
  op.Process();
}
