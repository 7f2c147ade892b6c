// Blocks that share out the rows or the columns of a matrix.
#include "kernel_operator.h"
using namespace AscendC;

#define MATRIX                                                                 \
  GlobalTensor<float> yGm;                                                     \
  yGm.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);            \
  TPipe pipe;                                                                  \
  TBuf<TPosition::VECCALC> buf;                                                \
  pipe.InitBuffer(buf, 1024);                                                  \
  LocalTensor<float> t = buf.Get<float>();                                     \
  Duplicate(t, 1.0f, 256);                                                     \
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);                                       \
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);

#define STORE(AT, COUNT)                                                       \
  DataCopyPad(yGm[AT], t, {1, uint32_t((COUNT) * sizeof(float)), 0, 0, 0});    \
  PipeBarrier<PIPE_ALL>();

#define KERNEL(NAME)                                                           \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR y, uint32_t rows,         \
                                             uint32_t columns)

#define ROWS(LAST)                                                             \
  uint32_t first = rows * GetBlockIdx() / GetBlockNum(), last = LAST;          \
  for (uint32_t row = first; row < last; ++row)

// All but the first eight columns.
KERNEL(by_rows) {
  MATRIX ROWS(rows * (GetBlockIdx() + 1) / GetBlockNum()) {
    STORE(uint64_t(row) * columns + 8, columns - 8)
  }
}

// A row reaches into the next one.
KERNEL(long_rows) {
  MATRIX ROWS(rows * (GetBlockIdx() + 1) / GetBlockNum()) {
    STORE(uint64_t(row) * columns + 8, columns + 1)
  }
}

// The last row of a block is the first one of the next.
KERNEL(one_more_row) {
  MATRIX ROWS(rows * (GetBlockIdx() + 1) / GetBlockNum() + 1) {
    STORE(uint64_t(row) * columns + 8, columns - 8)
  }
}

#define COLUMNS                                                                \
  uint32_t first = columns * GetBlockIdx() / GetBlockNum();                    \
  uint32_t last = columns * (GetBlockIdx() + 1) / GetBlockNum();               \
  for (uint32_t row = 0; row < rows; ++row)

KERNEL(by_columns) {
  MATRIX COLUMNS { STORE(uint64_t(row) * columns + first, last - first) }
}

// A block's columns reach into those of the next.
KERNEL(long_columns) {
  MATRIX COLUMNS { STORE(uint64_t(row) * columns + first, last - first + 1) }
}

// The last block's columns reach into the next row.
KERNEL(wide_columns) {
  MATRIX COLUMNS { STORE(uint64_t(row) * columns + 2 * first, last - first) }
}

// Rows are shorter than the matrix is wide.
KERNEL(short_pitch) {
  MATRIX COLUMNS { STORE(uint64_t(row) * (columns - 1) + first, last - first) }
}
