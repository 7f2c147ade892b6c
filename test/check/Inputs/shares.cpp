// What a block has of all rows or elements.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void
copyRow(const GlobalTensor<half> &to, const GlobalTensor<half> &from,
        uint32_t columns,
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> &que) {
  LocalTensor<half> t = que.AllocTensor<half>();
  DataCopyPad(t, from, {1, uint32_t(columns * sizeof(half)), 0, 0, 0},
              {false, 0, 0, 0});
  que.EnQue(t);
  t = que.DeQue<half>();
  DataCopyPad(to, t, {1, uint32_t(columns * sizeof(half)), 0, 0, 0});
  que.FreeTensor(t);
}

#define ROWS(WIDE)                                                             \
  GlobalTensor<half> xGm, yGm;                                                 \
  xGm.SetGlobalBuffer((__gm__ half *)x, uint64_t(batch) * rows * columns);     \
  yGm.SetGlobalBuffer((__gm__ half *)y, uint64_t(batch) * rows * columns);     \
  TPipe pipe;                                                                  \
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;                        \
  pipe.InitBuffer(que, 1, (columns * sizeof(half) + 31) / 32 * 32);            \
  uint64_t first = WIDE(batch) * rows * GetBlockIdx() / GetBlockNum();         \
  uint64_t last = WIDE(batch) * rows * (GetBlockIdx() + 1) / GetBlockNum();

// Rows of several matrices.
extern "C" __global__ __aicore__ void
batched(GM_ADDR x, GM_ADDR y, uint32_t batch, uint32_t rows, uint32_t columns) {
  ROWS(uint64_t)
  for (uint64_t i = first; i < last; ++i)
    copyRow(yGm[i * columns], xGm[i * columns], columns, que);
}

// One row more for each block.
extern "C" __global__ __aicore__ void one_more(GM_ADDR x, GM_ADDR y,
                                               uint32_t batch, uint32_t rows,
                                               uint32_t columns) {
  ROWS(uint64_t)
  for (uint64_t i = first; i <= last; ++i)
    copyRow(yGm[i * columns], xGm[i * columns], columns, que);
}

// A product of 32 bits that is widened: a launch can keep it small.
extern "C" __global__ __aicore__ void
narrow(GM_ADDR x, GM_ADDR y, uint32_t batch, uint32_t rows, uint32_t columns) {
  ROWS()
  for (uint64_t i = first; i < last; ++i)
    copyRow(yGm[i * columns], xGm[i * columns], columns, que);
}

constexpr uint32_t TILE = 1024;

template <typename End>
__aicore__ inline void tiles(GM_ADDR x, GM_ADDR y, uint32_t total,
                             uint32_t number, End end) {
  GlobalTensor<half> xGm, yGm;
  uint32_t begin = number * GetBlockIdx() / GetBlockNum() * TILE;
  uint32_t length =
      end(number * (GetBlockIdx() + 1) / GetBlockNum() * TILE) - begin;
  xGm.SetGlobalBuffer((__gm__ half *)x + begin, length);
  yGm.SetGlobalBuffer((__gm__ half *)y + begin, length);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, TILE * sizeof(half));
  for (uint32_t at = 0; at < length; at += TILE)
    copyRow(yGm[at], xGm[at], length - at < TILE ? length - at : TILE, que);
}

// The first element of a block is below total, however many blocks there are.
extern "C" __global__ __aicore__ void by_tiles(GM_ADDR x, GM_ADDR y,
                                               uint32_t total) {
  tiles(x, y, total, (total + TILE - 1) / TILE,
        [total](uint32_t end) { return end < total ? end : total; });
}

// With a tile too many it may be above, and the length below zero.
extern "C" __global__ __aicore__ void tile_too_many(GM_ADDR x, GM_ADDR y,
                                                    uint32_t total) {
  tiles(x, y, total, total / TILE + 2,
        [total](uint32_t end) { return end < total ? end : total; });
}

// Each block goes the way that a number of its own says.
extern "C" __global__ __aicore__ void own_way(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<int32_t> ways;
  GlobalTensor<half> yGm;
  ways.SetGlobalBuffer((__gm__ int32_t *)x, 64);
  yGm.SetGlobalBuffer((__gm__ half *)y, 65 * 128);
  TPipe pipe;
  TBuf<TPosition::VECCALC> ones;
  pipe.InitBuffer(ones, 256);
  LocalTensor<half> t = ones.Get<half>();
  Duplicate(t, half(1), 128);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  if (ways.GetValue(GetBlockIdx()) > 3)
    DataCopy(yGm[GetBlockIdx() * 128], t, 128);
  else
    DataCopy(yGm[GetBlockIdx() * 128 + 128], t, 128);
}
