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
