#include "kernel_operator.h"
using namespace AscendC;

// A buffer has whole blocks: who rounds a count up stays in it.
extern "C" __global__ __aicore__ void rounds_up(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, n * sizeof(float));
  LocalTensor<float> t = buffer.Get<float>();
  uint32_t whole = (n + 7) / 8 * 8;
  if (n % 8 > 0)
    Adds(t, t, 1.0f, whole);
}

// Not of one block more.
extern "C" __global__ __aicore__ void one_block_more(GM_ADDR y, uint32_t n) {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, n * sizeof(float));
  LocalTensor<float> t = buffer.Get<float>();
  uint32_t whole = n / 8 * 8 + 16;
  Duplicate(t, 1.0f, whole);
}

template <bool Waits> __aicore__ inline void work(uint32_t first) {
  uint32_t mine = 1;
  if (GetBlockIdx() >= first)
    mine = 2;
  if (Waits)
    SyncAll();
}

// One launch has one key: all its blocks come to SyncAll, or none does.
extern "C" __global__ __aicore__ void waits_by_key(GM_ADDR x, uint32_t key,
                                                   uint32_t first) {
  if (key == 1)
    work<true>(first);
  else
    work<false>(first);
}

// Blocks of one launch go both ways.
extern "C" __global__ __aicore__ void waits_by_block(GM_ADDR x,
                                                     uint32_t first) {
  if (GetBlockIdx() >= first)
    SyncAll();
}

// Tells the headers not to say what they do.
extern "C" __global__ __aicore__ void hides(GM_ADDR x, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    belay_sim_observed = false;
}

// A share is rounded up to whole blocks, and held against what is left; or not.
template <bool Held>
__aicore__ inline void share(GM_ADDR x, GM_ADDR y, int64_t total) {
  int64_t each = ((total + GetBlockNum() - 1) / GetBlockNum() + 15) / 16 * 16;
  int64_t begin = each * GetBlockIdx();
  int64_t end = Held && begin + each > total ? total : begin + each;
  if (begin >= end || end - begin > 2048)
    return;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 4096);
  GlobalTensor<int16_t> in, out;
  in.SetGlobalBuffer((__gm__ int16_t *)x);
  out.SetGlobalBuffer((__gm__ int16_t *)y);
  auto bytes = static_cast<uint32_t>((end - begin) * sizeof(int16_t));
  DataCopyExtParams how{1, bytes, 0, 0, 0};
  auto tile = queue.AllocTensor<int16_t>();
  DataCopyPad(tile, in[begin], how, {false, 0, 0, 0});
  queue.EnQue(tile);
  tile = queue.DeQue<int16_t>();
  DataCopyPad(out[begin], tile, how);
  queue.FreeTensor(tile);
}
extern "C" __global__ __aicore__ void shares_held(GM_ADDR x, GM_ADDR y,
                                                  int64_t total) {
  share<true>(x, y, total);
}
extern "C" __global__ __aicore__ void shares_whole(GM_ADDR x, GM_ADDR y,
                                                   int64_t total) {
  share<false>(x, y, total);
}

// Sums of what each block has: added by the copy, or stored by all of them.
template <bool Added>
__aicore__ inline void total(GM_ADDR x, GM_ADDR y, uint32_t rows,
                             uint32_t columns) {
  uint32_t row = GetBlockIdx();
  if (row >= rows)
    return;
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 4096);
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)x, (uint64_t)rows * columns);
  out.SetGlobalBuffer((__gm__ float *)y, columns);
  DataCopyExtParams how{1, columns * 4, 0, 0, 0};
  auto tile = queue.AllocTensor<float>();
  DataCopyPad(tile, in[(uint64_t)row * columns], how, {false, 0, 0, 0});
  queue.EnQue(tile);
  tile = queue.DeQue<float>();
  if (Added)
    SetAtomicAdd<float>();
  DataCopyPad(out, tile, how);
  SetAtomicNone();
  queue.FreeTensor(tile);
}
extern "C" __global__ __aicore__ void adds_up(GM_ADDR x, GM_ADDR y,
                                              uint32_t rows, uint32_t columns) {
  total<true>(x, y, rows, columns);
}
extern "C" __global__ __aicore__ void
last_wins(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns) {
  total<false>(x, y, rows, columns);
}
