// y = [a | b], two matrices side by side. Each source is copied with a stride
// on the destination's side; a and b share the queue, so one is being stored
// while the other one is loaded.
#include "kernel_operator.h"
using namespace AscendC;

struct ConcatTilingData {
  uint32_t rows;
  uint32_t widthA, widthB;
  uint32_t rowsPerTile;
};
REGISTER_TILING_DEFAULT(ConcatTilingData);

class KernelConcat {
public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR y,
                              const ConcatTilingData &tiling) {
    t = tiling;
    first = t.rows * GetBlockIdx() / GetBlockNum();
    last = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
    aGm.SetGlobalBuffer((__gm__ int32_t *)a, uint64_t(t.rows) * t.widthA);
    bGm.SetGlobalBuffer((__gm__ int32_t *)b, uint64_t(t.rows) * t.widthB);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y,
                        uint64_t(t.rows) * (t.widthA + t.widthB));
    uint32_t widest = t.widthA > t.widthB ? t.widthA : t.widthB;
    uint32_t padded = (widest * sizeof(int32_t) + 31) / 32 * 32;
    pipe.InitBuffer(que, 2, t.rowsPerTile * padded);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = first; row < last; row += t.rowsPerTile) {
      uint32_t left = last - row;
      uint16_t rows = left < t.rowsPerTile ? left : t.rowsPerTile;
      Move(aGm, t.widthA, 0, row, rows);
      Move(bGm, t.widthB, t.widthA, row, rows);
    }
  }

private:
  __aicore__ inline void Move(const GlobalTensor<int32_t> &from, uint32_t width,
                              uint32_t column, uint32_t row, uint16_t rows) {
    uint32_t bytes = width * sizeof(int32_t);
    uint32_t total = t.widthA + t.widthB;
    uint32_t gap = (total - width) * sizeof(int32_t);
    LocalTensor<int32_t> tile = que.AllocTensor<int32_t>();
    DataCopyPad(tile, from[uint64_t(row) * width],
                DataCopyExtParams(rows, bytes, 0, 0, 0), {false, 0, 0, 0});
    que.EnQue(tile);
    tile = que.DeQue<int32_t>();
    DataCopyPad(yGm[uint64_t(row) * total + column], tile,
                DataCopyExtParams(rows, bytes, 0, gap, 0));
    que.FreeTensor(tile);
  }

  ConcatTilingData t;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> que;
  GlobalTensor<int32_t> aGm, bGm, yGm;
  uint32_t first, last;
};

extern "C" __global__ __aicore__ void
concat(GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelConcat op;
  op.Init(a, b, y, t);
  op.Process();
}
