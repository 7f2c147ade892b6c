// Numbers that are elements of an argument: of all of them, the launch knows
// the smallest and the largest.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t PART = 64, WIDTH = 32;

enum class How { Copied, Padded, Moved, Later, NextRow, Kept };

/// y[i] = table[index[i]], of rows of 32 floats; 64 indices at a time.
template <How HOW>
__aicore__ inline void rowsOf(GM_ADDR table, GM_ADDR index, GM_ADDR y,
                              uint32_t rows, uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> indices, buffer;
  GlobalTensor<float> tableGm, yGm;
  GlobalTensor<int32_t> indexGm;
  tableGm.SetGlobalBuffer((__gm__ float *)table, (uint64_t)rows * WIDTH);
  yGm.SetGlobalBuffer((__gm__ float *)y, (uint64_t)n * WIDTH);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index, n);
  pipe.InitBuffer(indices, PART * 4 + 32);
  pipe.InitBuffer(buffer, WIDTH * 4);
  LocalTensor<int32_t> list = indices.Get<int32_t>();
  LocalTensor<float> row = buffer.Get<float>();
  for (uint32_t at = GetBlockIdx() * PART; at < n; at += GetBlockNum() * PART) {
    uint32_t m = n - at < PART ? n - at : PART;
    if (HOW == How::Padded)
      DataCopyPad(list, indexGm[at], {1, uint32_t(m * 4), 0, 0, 0},
                  {true, 0, 1, 7});
    else
      DataCopyPad(list, indexGm[at], {1, uint32_t(m * 4), 0, 0, 0},
                  {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    if (HOW == How::Moved)
      Adds(list, list, 1, m);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < m; ++i) {
      int32_t from = list.GetValue(i);
      if (HOW == How::Kept && (from < 0 || from >= (int32_t)rows))
        from = 0;
      uint64_t first = (uint64_t)from * WIDTH;
      if (HOW == How::NextRow)
        first += WIDTH;
      PipeBarrier<PIPE_ALL>();
      DataCopy(row, tableGm[first], WIDTH);
      PipeBarrier<PIPE_ALL>();
      DataCopy(yGm[(uint64_t)(at + i) * WIDTH], row, WIDTH);
      PipeBarrier<PIPE_ALL>();
    }
    if (HOW == How::Later)
      Duplicate(list, 5, PART);
    PipeBarrier<PIPE_ALL>();
  }
}

#define KERNEL(NAME, HOW)                                                      \
  extern "C" __global__ __aicore__ void NAME(                                  \
      GM_ADDR table, GM_ADDR index, GM_ADDR y, uint32_t rows, uint32_t n) {    \
    rowsOf<How::HOW>(table, index, y, rows, n);                                \
  }
KERNEL(copied, Copied)
KERNEL(padded, Padded)
KERNEL(moved, Moved)
KERNEL(later, Later)
KERNEL(next_row, NextRow)
KERNEL(kept, Kept)

// From global memory itself; `changed` writes what it reads.
template <bool CHANGES>
__aicore__ inline void take(GM_ADDR x, GM_ADDR index, GM_ADDR y, uint32_t n) {
  GlobalTensor<int32_t> xGm, yGm;
  GlobalTensor<uint16_t> indexGm;
  xGm.SetGlobalBuffer((__gm__ int32_t *)x, n);
  yGm.SetGlobalBuffer((__gm__ int32_t *)y, 8);
  indexGm.SetGlobalBuffer((__gm__ uint16_t *)index, 8);
  if (GetBlockIdx() != 0)
    return;
  for (uint32_t i = 0; i < 8; ++i) {
    yGm.SetValue(i, xGm.GetValue(indexGm.GetValue(i)));
    if (CHANGES)
      indexGm.SetValue(i, 0);
  }
}
extern "C" __global__ __aicore__ void direct(GM_ADDR x, GM_ADDR index,
                                             GM_ADDR y, uint32_t n) {
  take<false>(x, index, y, n);
}
extern "C" __global__ __aicore__ void changed(GM_ADDR x, GM_ADDR index,
                                              GM_ADDR y, uint32_t n) {
  take<true>(x, index, y, n);
}

// A table of n floats is on chip; `beyond` reads one after the last that was
// written, and what `none` reads only indices have written.
template <How HOW>
__aicore__ inline void lookUp(GM_ADDR table, GM_ADDR index, GM_ADDR y,
                              uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer, result;
  GlobalTensor<float> tableGm, yGm;
  GlobalTensor<int32_t> indexGm;
  tableGm.SetGlobalBuffer((__gm__ float *)table, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, 8);
  indexGm.SetGlobalBuffer((__gm__ int32_t *)index, 8);
  pipe.InitBuffer(buffer, 4096);
  pipe.InitBuffer(result, 32);
  LocalTensor<float> x = buffer.Get<float>(), y8 = result.Get<float>();
  if (HOW != How::Later)
    DataCopyPad(x, tableGm, {1, uint32_t(n * 4), 0, 0, 0}, {false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < 8; ++i) {
    int32_t at = indexGm.GetValue(i);
    if (HOW == How::Later)
      x.SetValue(at, 1.0f);
    y8.SetValue(i, x.GetValue(HOW == How::NextRow ? at + 1 : at));
  }
  PipeBarrier<PIPE_ALL>();
  if (HOW == How::Later)
    DataCopy(y8, x, 8);
  PipeBarrier<PIPE_ALL>();
  if (GetBlockIdx() == 0)
    DataCopy(yGm, y8, 8);
}
extern "C" __global__ __aicore__ void on_chip(GM_ADDR table, GM_ADDR index,
                                              GM_ADDR y, uint32_t n) {
  lookUp<How::Copied>(table, index, y, n);
}
extern "C" __global__ __aicore__ void beyond(GM_ADDR table, GM_ADDR index,
                                             GM_ADDR y, uint32_t n) {
  lookUp<How::NextRow>(table, index, y, n);
}
extern "C" __global__ __aicore__ void none(GM_ADDR index, GM_ADDR y) {
  lookUp<How::Later>(index, index, y, 8);
}
