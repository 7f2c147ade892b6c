// z = x + y for any length on any number of cores. The first `bigCores` cores
// take one block of 32 bytes more than the others; the last core takes what is
// left, and DataCopyPad moves the final piece that fills no block.
#include "kernel_operator.h"
using namespace AscendC;

struct AddTilingData {
  uint32_t total;    // elements
  uint32_t perCore;  // elements of a small core, whole blocks
  uint32_t bigCores; // cores that take one block more
  uint32_t tile;     // elements per tile, whole blocks
};
REGISTER_TILING_DEFAULT(AddTilingData);

class AddTail {
public:
  static constexpr uint32_t PER_BLOCK = 32 / sizeof(float);

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                              const AddTilingData &t) {
    uint32_t core = GetBlockIdx();
    uint32_t begin = core * t.perCore + Smaller(core, t.bigCores) * PER_BLOCK;
    uint32_t end = begin + t.perCore + (core < t.bigCores ? PER_BLOCK : 0);
    if (core + 1 == GetBlockNum())
      end = t.total;
    begin = Smaller(begin, t.total);
    length = Smaller(end, t.total) - begin;
    tile = t.tile;
    xGm.SetGlobalBuffer((__gm__ float *)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ float *)y + begin, length);
    zGm.SetGlobalBuffer((__gm__ float *)z + begin, length);
    pipe.InitBuffer(inX, 2, tile * sizeof(float));
    pipe.InitBuffer(inY, 2, tile * sizeof(float));
    pipe.InitBuffer(outZ, 2, tile * sizeof(float));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += tile) {
      uint32_t count = Smaller(tile, length - at);
      CopyIn(at, count);
      Compute(count);
      CopyOut(at, count);
    }
  }

private:
  __aicore__ inline uint32_t Smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
  }
  __aicore__ inline void CopyIn(uint32_t at, uint32_t count) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    LocalTensor<float> y = inY.AllocTensor<float>();
    DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    DataCopyPadExtParams<float> noPad{false, 0, 0, 0};
    DataCopyPad(x, xGm[at], piece, noPad);
    DataCopyPad(y, yGm[at], piece, noPad);
    inX.EnQue(x);
    inY.EnQue(y);
  }
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<float> x = inX.DeQue<float>();
    LocalTensor<float> y = inY.DeQue<float>();
    LocalTensor<float> z = outZ.AllocTensor<float>();
    Add(z, x, y, count);
    outZ.EnQue(z);
    inX.FreeTensor(x);
    inY.FreeTensor(y);
  }
  __aicore__ inline void CopyOut(uint32_t at, uint32_t count) {
    LocalTensor<float> z = outZ.DeQue<float>();
    DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    DataCopyPad(zGm[at], z, piece);
    outZ.FreeTensor(z);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX, inY;
  TQue<TPosition::VECOUT, 2> outZ;
  GlobalTensor<float> xGm, yGm, zGm;
  uint32_t length, tile;
};

extern "C" __global__ __aicore__ void
add_tail(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  AddTail op;
  op.Init(x, y, z, t);
  op.Process();
}
