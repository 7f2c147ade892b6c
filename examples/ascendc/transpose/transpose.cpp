// Transposes a matrix of halves, tile by tile of 16 x 16: a strided load puts
// the 16 rows of a tile one after the other, Transpose transposes it, a strided
// store puts it in its place. Tiles at the edge are loaded and stored partly.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t SIDE = 16;

class KernelTranspose {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows,
                              uint32_t columns) {
    this->rows = rows;
    this->columns = columns;
    xGm.SetGlobalBuffer((__gm__ half *)x, uint64_t(rows) * columns);
    yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(rows) * columns);
    pipe.InitBuffer(inX, 2, SIDE * SIDE * sizeof(half));
    pipe.InitBuffer(outY, 2, SIDE * SIDE * sizeof(half));
  }
  __aicore__ inline void Process() {
    uint32_t across = (columns + SIDE - 1) / SIDE;
    uint32_t tiles = (rows + SIDE - 1) / SIDE * across;
    uint32_t first = tiles * GetBlockIdx() / GetBlockNum();
    uint32_t last = tiles * (GetBlockIdx() + 1) / GetBlockNum();
    for (uint32_t i = first; i < last; ++i)
      Tile(i / across * SIDE, i % across * SIDE);
  }

private:
  __aicore__ inline void Tile(uint32_t row, uint32_t column) {
    uint16_t height = rows - row < SIDE ? rows - row : SIDE;
    uint16_t width = columns - column < SIDE ? columns - column : SIDE;
    LocalTensor<half> x = inX.AllocTensor<half>();
    DataCopyPad(x, xGm[uint64_t(row) * columns + column],
                DataCopyExtParams(height, width * sizeof(half),
                                  (columns - width) * sizeof(half), 0, 0),
                {false, 0, 0, 0});
    inX.EnQue(x);

    x = inX.DeQue<half>();
    LocalTensor<half> y = outY.AllocTensor<half>();
    Transpose(y, x);
    inX.FreeTensor(x);
    outY.EnQue(y);

    y = outY.DeQue<half>();
    DataCopyPad(yGm[uint64_t(column) * rows + row], y,
                DataCopyExtParams(width, height * sizeof(half), 0,
                                  (rows - height) * sizeof(half), 0));
    outY.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  GlobalTensor<half> xGm, yGm;
  uint32_t rows, columns;
};

extern "C" __global__ __aicore__ void
transpose(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  KernelTranspose op;
  op.Init(x, y, rows, columns);
  op.Process();
}
