// z = x + y over half, the first AscendC kernel that everyone writes: a class
// with Init and Process, two buffers per queue, one block per core.
#include "kernel_operator.h"

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE = 1024;

class KernelAdd {
public:
  __aicore__ inline KernelAdd() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t total) {
    uint32_t perCore = total / AscendC::GetBlockNum();
    uint64_t offset = uint64_t(perCore) * AscendC::GetBlockIdx();
    length = perCore;
    xGm.SetGlobalBuffer((__gm__ half *)x + offset, perCore);
    yGm.SetGlobalBuffer((__gm__ half *)y + offset, perCore);
    zGm.SetGlobalBuffer((__gm__ half *)z + offset, perCore);
    pipe.InitBuffer(inX, BUFFER_NUM, TILE * sizeof(half));
    pipe.InitBuffer(inY, BUFFER_NUM, TILE * sizeof(half));
    pipe.InitBuffer(outZ, BUFFER_NUM, TILE * sizeof(half));
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
    AscendC::LocalTensor<half> x = inX.AllocTensor<half>();
    AscendC::LocalTensor<half> y = inY.AllocTensor<half>();
    AscendC::DataCopy(x, xGm[at], count);
    AscendC::DataCopy(y, yGm[at], count);
    inX.EnQue(x);
    inY.EnQue(y);
  }
  __aicore__ inline void Compute(uint32_t count) {
    AscendC::LocalTensor<half> x = inX.DeQue<half>();
    AscendC::LocalTensor<half> y = inY.DeQue<half>();
    AscendC::LocalTensor<half> z = outZ.AllocTensor<half>();
    AscendC::Add(z, x, y, count);
    outZ.EnQue<half>(z);
    inX.FreeTensor(x);
    inY.FreeTensor(y);
  }
  __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
    AscendC::LocalTensor<half> z = outZ.DeQue<half>();
    AscendC::DataCopy(zGm[at], z, count);
    outZ.FreeTensor(z);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::QuePosition::VECIN, BUFFER_NUM> inX, inY;
  AscendC::TQue<AscendC::QuePosition::VECOUT, BUFFER_NUM> outZ;
  AscendC::GlobalTensor<half> xGm, yGm, zGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y,
                                                 GM_ADDR z, uint32_t total) {
  KernelAdd op;
  op.Init(x, y, z, total);
  op.Process();
}
