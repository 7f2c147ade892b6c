// y = exp(x) over float, tile by tile, for bench/simulator.
#include "kernel_operator.h"

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE = 4096;

class KernelExp {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total) {
    uint32_t tiles = (total + TILE - 1) / TILE;
    uint32_t perCore =
        (tiles + AscendC::GetBlockNum() - 1) / AscendC::GetBlockNum() * TILE;
    uint32_t start = perCore * AscendC::GetBlockIdx();
    length = start >= total            ? 0
             : total - start < perCore ? total - start
                                       : perCore;
    xGm.SetGlobalBuffer((__gm__ float *)x + start, length);
    yGm.SetGlobalBuffer((__gm__ float *)y + start, length);
    pipe.InitBuffer(inX, BUFFER_NUM, TILE * sizeof(float));
    pipe.InitBuffer(outY, BUFFER_NUM, TILE * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += TILE) {
      uint32_t count = length - at < TILE ? length - at : TILE;
      CopyIn(at, count);
      Compute(count);
      CopyOut(at, count);
    }
  }

private:
  __aicore__ inline void CopyIn(uint32_t at, uint32_t count) {
    AscendC::LocalTensor<float> x = inX.AllocTensor<float>();
    AscendC::DataCopy(x, xGm[at], count);
    inX.EnQue(x);
  }
  __aicore__ inline void Compute(uint32_t count) {
    AscendC::LocalTensor<float> x = inX.DeQue<float>();
    AscendC::LocalTensor<float> y = outY.AllocTensor<float>();
    AscendC::Exp(y, x, count);
    outY.EnQue(y);
    inX.FreeTensor(x);
  }
  __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
    AscendC::LocalTensor<float> y = outY.DeQue<float>();
    AscendC::DataCopy(yGm[at], y, count);
    outY.FreeTensor(y);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, BUFFER_NUM> inX;
  AscendC::TQue<AscendC::QuePosition::VECOUT, BUFFER_NUM> outY;
  AscendC::GlobalTensor<float> xGm, yGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void exp_f32(GM_ADDR x, GM_ADDR y,
                                              uint32_t total) {
  KernelExp op;
  op.Init(x, y, total);
  op.Process();
}
