// z = x + y over float, tile by tile, for bench/simulator.
#include "kernel_operator.h"

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE = 4096;

class KernelAdd {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
    uint32_t tiles = (total + TILE - 1) / TILE;
    uint32_t perCore =
        (tiles + AscendC::GetBlockNum() - 1) / AscendC::GetBlockNum() * TILE;
    uint32_t start = perCore * AscendC::GetBlockIdx();
    length = start >= total            ? 0
             : total - start < perCore ? total - start
                                       : perCore;
    xGm.SetGlobalBuffer((__gm__ float *)x + start, length);
    yGm.SetGlobalBuffer((__gm__ float *)y + start, length);
    zGm.SetGlobalBuffer((__gm__ float *)z + start, length);
    pipe.InitBuffer(inX, BUFFER_NUM, TILE * sizeof(float));
    pipe.InitBuffer(inY, BUFFER_NUM, TILE * sizeof(float));
    pipe.InitBuffer(outZ, BUFFER_NUM, TILE * sizeof(float));
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
    AscendC::LocalTensor<float> y = inY.AllocTensor<float>();
    AscendC::DataCopy(x, xGm[at], count);
    AscendC::DataCopy(y, yGm[at], count);
    inX.EnQue(x);
    inY.EnQue(y);
  }
  __aicore__ inline void Compute(uint32_t count) {
    AscendC::LocalTensor<float> x = inX.DeQue<float>();
    AscendC::LocalTensor<float> y = inY.DeQue<float>();
    AscendC::LocalTensor<float> z = outZ.AllocTensor<float>();
    AscendC::Add(z, x, y, count);
    outZ.EnQue(z);
    inX.FreeTensor(x);
    inY.FreeTensor(y);
  }
  __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
    AscendC::LocalTensor<float> z = outZ.DeQue<float>();
    AscendC::DataCopy(zGm[at], z, count);
    outZ.FreeTensor(z);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, BUFFER_NUM> inX, inY;
  AscendC::TQue<AscendC::QuePosition::VECOUT, BUFFER_NUM> outZ;
  AscendC::GlobalTensor<float> xGm, yGm, zGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void add_f32(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                              uint32_t total) {
  KernelAdd op;
  op.Init(x, y, z, total);
  op.Process();
}
