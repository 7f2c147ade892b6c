// Softmax by the library routine: several rows at a time, with the structure
// that the host's tiling function fills. Rows are padded to whole blocks; the
// shape tells the routine how much of a row is data.
#include "kernel_operator.h"
using namespace AscendC;

struct SoftmaxApiTilingData {
  uint32_t rows, columns;
  uint32_t rowsPerTile;
  SoftMaxTiling softmax;
};
REGISTER_TILING_DEFAULT(SoftmaxApiTilingData);

class KernelSoftmaxApi {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y,
                              const SoftmaxApiTilingData &tiling) {
    t = tiling;
    padded = (t.columns + 7) / 8 * 8;
    first = t.rows * GetBlockIdx() / GetBlockNum();
    last = t.rows * (GetBlockIdx() + 1) / GetBlockNum();
    xGm.SetGlobalBuffer((__gm__ float *)x, uint64_t(t.rows) * t.columns);
    yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(t.rows) * t.columns);
    pipe.InitBuffer(inX, 2, t.rowsPerTile * padded * sizeof(float));
    pipe.InitBuffer(outY, 2, t.rowsPerTile * padded * sizeof(float));
    pipe.InitBuffer(sumBuf, t.rowsPerTile * 32); // a block per row
    pipe.InitBuffer(maxBuf, t.rowsPerTile * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = first; row < last; row += t.rowsPerTile) {
      uint32_t left = last - row;
      uint16_t rows = left < t.rowsPerTile ? left : t.rowsPerTile;
      DataCopyExtParams tile(rows, t.columns * sizeof(float), 0, 0, 0);
      LocalTensor<float> x = inX.AllocTensor<float>();
      DataCopyPad(x, xGm[uint64_t(row) * t.columns], tile, {false, 0, 0, 0});
      inX.EnQue(x);

      x = inX.DeQue<float>();
      LocalTensor<float> y = outY.AllocTensor<float>();
      SoftMaxShapeInfo shape = {rows, padded, rows, t.columns};
      SoftMax<float>(y, sumBuf.Get<float>(), maxBuf.Get<float>(), x, t.softmax,
                     shape);
      PipeBarrier<PIPE_V>(); // sums and maxima are written again
      inX.FreeTensor(x);
      outY.EnQue(y);

      y = outY.DeQue<float>();
      DataCopyPad(yGm[uint64_t(row) * t.columns], y, tile);
      outY.FreeTensor(y);
    }
  }

private:
  SoftmaxApiTilingData t;
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  TBuf<TPosition::VECCALC> sumBuf, maxBuf;
  GlobalTensor<float> xGm, yGm;
  uint32_t padded, first, last;
};

extern "C" __global__ __aicore__ void
softmax_api(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  KernelSoftmaxApi op;
  op.Init(x, y, t);
  op.Process();
}
