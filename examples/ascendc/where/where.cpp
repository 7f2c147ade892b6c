// y = x > threshold ? a : b by Compare and Select. Both work on whole repeats
// of 256 bytes: the tail of a tile is computed and not stored.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 64; // floats in a repeat
constexpr uint32_t TILE = 32 * LANES;

class KernelWhere {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR a, GM_ADDR b, GM_ADDR y,
                              float threshold, uint32_t total) {
    uint32_t tiles = (total + TILE - 1) / TILE;
    begin = tiles * GetBlockIdx() / GetBlockNum() * TILE;
    end = tiles * (GetBlockIdx() + 1) / GetBlockNum() * TILE;
    end = end < total ? end : total;
    xGm.SetGlobalBuffer((__gm__ float *)x, total);
    aGm.SetGlobalBuffer((__gm__ float *)a, total);
    bGm.SetGlobalBuffer((__gm__ float *)b, total);
    yGm.SetGlobalBuffer((__gm__ float *)y, total);
    pipe.InitBuffer(inX, 2, TILE * sizeof(float));
    pipe.InitBuffer(inA, 2, TILE * sizeof(float));
    pipe.InitBuffer(inB, 2, TILE * sizeof(float));
    pipe.InitBuffer(outY, 2, TILE * sizeof(float));
    pipe.InitBuffer(thresholdBuf, TILE * sizeof(float));
    pipe.InitBuffer(maskBuf, TILE / 8); // a bit per element
    Duplicate(thresholdBuf.Get<float>(), threshold, TILE);
    PipeBarrier<PIPE_V>();
  }
  __aicore__ inline void Process() {
    for (uint32_t at = begin; at < end; at += TILE) {
      uint32_t count = end - at < TILE ? end - at : TILE;
      CopyIn(inX, xGm[at], count);
      CopyIn(inA, aGm[at], count);
      CopyIn(inB, bGm[at], count);
      Compute((count + LANES - 1) / LANES * LANES);
      LocalTensor<float> y = outY.DeQue<float>();
      DataCopyPad(yGm[at], y, {1, uint32_t(count * sizeof(float)), 0, 0, 0});
      outY.FreeTensor(y);
    }
  }

private:
  using InQueue = TQue<TPosition::VECIN, 2>;
  __aicore__ inline void CopyIn(InQueue &que, const GlobalTensor<float> &from,
                                uint32_t count) {
    LocalTensor<float> t = que.AllocTensor<float>();
    DataCopyPad(t, from, {1, uint32_t(count * sizeof(float)), 0, 0, 0},
                {false, 0, 0, 0});
    que.EnQue(t);
  }
  __aicore__ inline void Compute(uint32_t lanes) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> a = inA.DeQue<float>();
    LocalTensor<float> b = inB.DeQue<float>();
    LocalTensor<float> y = outY.AllocTensor<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    Compare(mask, x, thresholdBuf.Get<float>(), CMPMODE::GT, lanes);
    PipeBarrier<PIPE_V>();
    Select(y, mask, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, lanes);
    PipeBarrier<PIPE_V>(); // the next tile writes the mask again
    outY.EnQue(y);
    inX.FreeTensor(x);
    inA.FreeTensor(a);
    inB.FreeTensor(b);
  }

  TPipe pipe;
  InQueue inX, inA, inB;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> thresholdBuf, maskBuf;
  GlobalTensor<float> xGm, aGm, bGm, yGm;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void where(GM_ADDR x, GM_ADDR a, GM_ADDR b,
                                            GM_ADDR y, float threshold,
                                            uint32_t total) {
  KernelWhere op;
  op.Init(x, a, b, y, threshold, total);
  op.Process();
}
