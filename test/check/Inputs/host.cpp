// What the host decides, and what a kernel may therefore not be blamed for.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
  uint32_t total, tiles, tile, rows, cols, factor, mode;
};
#define KERNEL(Name)                                                           \
  extern "C" __global__ __aicore__ void Name(GM_ADDR x, GM_ADDR z,             \
                                             GM_ADDR workspace, Tiling t)

struct Copies {
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> que;
  GlobalTensor<float> in, out;
  __aicore__ inline void Copy(uint64_t at, uint32_t n) {
    LocalTensor<float> part = que.AllocTensor<float>();
    DataCopy(part, in[at], n);
    que.EnQue(part);
    part = que.DeQue<float>();
    DataCopy(out[at], part, n); // COPY
    que.FreeTensor(part);
  }
};

#if defined(RELATION)
// Few elements, and yet several tiles; or (ALONE) too few for one.
KERNEL(relation) {
  Copies c;
  uint32_t length = t.total < 64 ? 64 : t.total;
  c.pipe.InitBuffer(c.que, 1, 64 * sizeof(float));
  c.in.SetGlobalBuffer((__gm__ float *)x);
  c.out.SetGlobalBuffer((__gm__ float *)z, length);
#ifdef ALONE
  if (t.total < 64)
    c.Copy(64, 64);
#endif
  for (uint32_t i = 0; i + 1 < t.tiles; ++i)
    c.Copy(i * 64, 64);
}
#elif defined(KEYS)
// A launch has one of the keys; without BUFFERS, key 2 has no buffers.
KERNEL(keys) {
  Copies c;
  c.in.SetGlobalBuffer((__gm__ float *)x);
  c.out.SetGlobalBuffer((__gm__ float *)z);
  if (TILING_KEY_IS(1))
    c.pipe.InitBuffer(c.que, 1, 256);
#ifdef BUFFERS
  else if (TILING_KEY_IS(2))
    c.pipe.InitBuffer(c.que, 2, 256);
#else
  else if (TILING_KEY_IS(2))
    ;
#endif
  c.Copy(0, 64);
}
#elif defined(RUN_AHEAD)
// Set and waited for in turn, or (TWICE) set twice.
KERNEL(run_ahead) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32768);
  LocalTensor<float> all = buf.Get<float>();
  GlobalTensor<float> in;
  in.SetGlobalBuffer((__gm__ float *)x);
  for (uint32_t i = 0; i < 8; ++i) {
    DataCopy(all[i * 512], in[i * 512], 512);
    SetFlag<HardEvent::MTE2_V>(0); // SET
#ifdef TWICE
    SetFlag<HardEvent::MTE2_V>(0); // AGAIN
    WaitFlag<HardEvent::MTE2_V>(0);
#endif
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(all[i * 512], all[i * 512], 1.0f, 512);
  }
}
#elif defined(RESERVED)
// What the API keeps can be had back; more than there is cannot.
KERNEL(reserved) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, RESERVED); // RESERVED
}
#elif defined(BRACKETS)
__forceinline__[aicore] uint32_t marked(uint32_t n) { return n + 1; }
KERNEL(brackets) { marked(t.total); }
#elif defined(DESTROYED)
// The destructor waits for what the constructor set.
struct Credits {
  __aicore__ inline Credits() { SetFlag<HardEvent::V_MTE2>(0); } // CREDIT
#if DESTROYED
  __aicore__ inline ~Credits() { WaitFlag<HardEvent::V_MTE2>(0); }
#endif
};
struct Block {
  Credits credits;
};
KERNEL(destroyed) {
  for (uint32_t i = 0; i < t.tiles; ++i) {
    Block b;
    if (i == t.mode)
      continue;
  }
}
#elif defined(WIDENED)
// An offset in 32 bits, or (ROWS) a number of rows, or (TILE) one within UB.
KERNEL(widened) {
  Copies c;
  c.pipe.InitBuffer(c.que, 1, t.tile * t.factor * sizeof(float)); // LOCAL
  c.in.SetGlobalBuffer((__gm__ float *)x);
  c.out.SetGlobalBuffer((__gm__ float *)z);
  uint32_t block = GetBlockIdx();
#if defined(ROWS)
  uint64_t row = block * t.rows; // ROWS
  c.Copy(row * t.cols, t.tile * t.factor);
#elif defined(TILE)
  uint64_t at = t.tile * t.factor; // TILE
  c.Copy(at, t.tile * t.factor);
#else
  uint64_t at = block * t.rows * t.cols; // OFFSET
  c.Copy(at, t.tile * t.factor);
#endif
}
#elif defined(SIGN)
// Any block may raise the sign; a sum (ADD) is lost.
KERNEL(sign) {
  GlobalTensor<int32_t> out;
  out.SetGlobalBuffer((__gm__ int32_t *)z);
  if (GetBlockIdx() < t.tiles)
    out.SetValue(0, 1); // SIGN
#ifdef ADD
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32);
  LocalTensor<int32_t> sum = buf.Get<int32_t>();
  Duplicate(sum, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, sum, 8); // ADD
#endif
}
#elif defined(GUARDED)
// Kernels ask whether the divisor is zero so as not to divide by it.
__aicore__ inline uint32_t ceilDiv(uint32_t a, uint32_t b) {
  return b == 0 ? 0 : (a + b - 1) / b;
}
KERNEL(guarded) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, 256);
  GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float *)z);
  LocalTensor<float> part = que.AllocTensor<float>();
#if GUARDED == 1
  uint32_t rounds = ceilDiv(t.total, t.factor);
  for (uint32_t i = 0; i < rounds; ++i)
    Duplicate(part, 1.0f, 64);
#else
  if (t.mode == 1)
    Duplicate(part, 1.0f, 64);
#endif
  que.EnQue(part);
  part = que.DeQue<float>();
  DataCopy(out, part, 64); // STORED
  que.FreeTensor(part);
}
#elif defined(PER_BLOCK)
// Each block reads where its part begins; or (SHARED) all read the same.
KERNEL(per_block) {
  Copies c;
  c.pipe.InitBuffer(c.que, 1, 256);
  GlobalTensor<uint32_t> starts;
  starts.SetGlobalBuffer((__gm__ uint32_t *)workspace);
  c.in.SetGlobalBuffer((__gm__ float *)x);
  c.out.SetGlobalBuffer((__gm__ float *)z);
  if (GetBlockIdx() >= t.tiles)
    return;
#ifdef SHARED
  c.Copy(starts.GetValue(0), 64);
#else
  c.Copy(starts.GetValue(GetBlockIdx()), 64);
#endif
}
#elif defined(LAST)
// The last block has its own part; or (IDLE) blocks after the last have none.
KERNEL(last) {
  Copies c;
  c.pipe.InitBuffer(c.que, 1, 256);
  c.in.SetGlobalBuffer((__gm__ float *)x);
  c.out.SetGlobalBuffer((__gm__ float *)z);
  if (GetBlockIdx() > t.tiles) {
#ifndef IDLE
    c.Copy(uint64_t(GetBlockIdx()) * 64 + 64, 64);
#endif
    return;
  }
  c.Copy(uint64_t(GetBlockIdx()) * 64, 64);
}
#elif defined(SYSTEM)
// Telling the API where its workspace is stores nothing.
KERNEL(system_workspace) {
  SetSysWorkspace(workspace);
  if (GetBlockIdx() >= t.tiles)
    return;
#ifdef STORES
  GlobalTensor<uint32_t> all;
  all.SetGlobalBuffer((__gm__ uint32_t *)GetUserWorkspace(workspace));
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32);
  LocalTensor<uint32_t> zero = buf.Get<uint32_t>();
  Duplicate(zero, uint32_t(0), 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(all, zero, 8); // STORES
#endif
}
#elif defined(POINTER)
// An intrinsic is given a pointer into this iteration's tensor; or (FREED) the
// tensor is used when it is the queue's again.
KERNEL(pointer) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> que;
  pipe.InitBuffer(que, 1, 256);
  for (uint32_t i = 0; i < 2; ++i) {
    LocalTensor<float> part = que.AllocTensor<float>();
    vcadd((__ubuf__ float *)part.GetPhyAddr(),
          (__ubuf__ float *)part.GetPhyAddr(), 1, 1, 1, 8, 1);
    Duplicate(part, 1.0f, 64);
    que.FreeTensor(part);
#ifdef FREED
    Duplicate(part, 1.0f, 64); // FREED
#endif
  }
}
#elif defined(BY_VALUE)
// A copy of a queue has its buffers; one that nobody set up (BARE) has none.
__aicore__ inline void use(TQue<QuePosition::VECIN, 1> que) {
  LocalTensor<float> part = que.AllocTensor<float>();
  que.FreeTensor(part);
}
KERNEL(by_value) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> que;
#ifdef BARE
  LocalTensor<float> part = que.AllocTensor<float>(); // BARE
#else
  pipe.InitBuffer(que, 1, 256);
#endif
  use(que);
}
#elif defined(BLOCKS)
// A field that sizes a buffer is whole blocks; a scalar need not be.
#if BLOCKS
KERNEL(blocks) {
  uint32_t n = t.tile;
#else
extern "C" __global__ __aicore__ void blocks(GM_ADDR x, GM_ADDR z, uint32_t n) {
#endif
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, n * sizeof(float));
  LocalTensor<float> all = buf.Get<float>();
  Duplicate(all, 1.0f, (n + 31) / 32 * 32); // ROUNDED
}
#endif
