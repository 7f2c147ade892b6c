// Many small tiles, for bench/sanitizer: each iteration has nine
// operands in memory and hands its tiles on through queues.
#include "kernel_operator.h"

constexpr uint32_t TILE = 512;

extern "C" __global__ __aicore__ void events(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                             uint32_t total, uint32_t rounds) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, 2> inX, inY;
  AscendC::TQue<AscendC::QuePosition::VECOUT, 2> outZ;
  pipe.InitBuffer(inX, 2, TILE * sizeof(float));
  pipe.InitBuffer(inY, 2, TILE * sizeof(float));
  pipe.InitBuffer(outZ, 2, TILE * sizeof(float));
  AscendC::GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  yGm.SetGlobalBuffer((__gm__ float *)y, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);
  uint32_t at = 0;
  for (uint32_t i = 0; i < rounds; ++i) {
    auto a = inX.AllocTensor<float>();
    auto b = inY.AllocTensor<float>();
    AscendC::DataCopy(a, xGm[at], TILE);
    AscendC::DataCopy(b, yGm[at], TILE);
    inX.EnQue(a);
    inY.EnQue(b);
    a = inX.DeQue<float>();
    b = inY.DeQue<float>();
    auto c = outZ.AllocTensor<float>();
    AscendC::Add(c, a, b, TILE);
    outZ.EnQue(c);
    inX.FreeTensor(a);
    inY.FreeTensor(b);
    c = outZ.DeQue<float>();
    AscendC::DataCopy(zGm[at], c, TILE);
    outZ.FreeTensor(c);
    at += TILE;
    if (at == total) {
      AscendC::PipeBarrier<PIPE_ALL>();
      at = 0;
    }
  }
}
