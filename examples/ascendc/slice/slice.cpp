// y = x[rowBegin :: rowStep, colBegin : colBegin + width]: the copy engine does
// all of it. Several rows per instruction, strides in bytes on the side of
// global memory.
#include "kernel_operator.h"
using namespace AscendC;

struct SliceTilingData {
  uint32_t columns; // of x
  uint32_t rowBegin, rowStep;
  uint32_t colBegin;
  uint32_t rows, width; // of y
  uint32_t rowsPerTile;
};
REGISTER_TILING_DEFAULT(SliceTilingData);

class KernelSlice {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y,
                              const SliceTilingData &tiling) {
    t = tiling;
    first = t.rows * GetBlockIdx() / GetBlockNum();
    last = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ half *)x);
    yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(t.rows) * t.width);
    uint32_t padded = (t.width * sizeof(half) + 31) / 32 * 32;
    pipe.InitBuffer(que, 2, t.rowsPerTile * padded);
  }
  __aicore__ inline void Process() {
    uint32_t bytes = t.width * sizeof(half);
    uint32_t gap = (t.columns * t.rowStep - t.width) * sizeof(half);
    for (uint32_t row = first; row < last; row += t.rowsPerTile) {
      uint32_t left = last - row;
      uint16_t rows = left < t.rowsPerTile ? left : t.rowsPerTile;
      uint64_t from = uint64_t(t.rowBegin + row * t.rowStep) * t.columns;
      LocalTensor<half> tile = que.AllocTensor<half>();
      DataCopyPad(tile, xGm[from + t.colBegin],
                  DataCopyExtParams(rows, bytes, gap, 0, 0), {false, 0, 0, 0});
      que.EnQue(tile);
      tile = que.DeQue<half>();
      DataCopyPad(yGm[uint64_t(row) * t.width], tile,
                  DataCopyExtParams(rows, bytes, 0, 0, 0));
      que.FreeTensor(tile);
    }
  }

private:
  SliceTilingData t;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  GlobalTensor<half> xGm, yGm;
  uint32_t first, last;
};

extern "C" __global__ __aicore__ void slice(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelSlice op;
  op.Init(x, y, t);
  op.Process();
}
