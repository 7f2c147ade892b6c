// The data caches of the scalar units: who sees what SetValue wrote, and what
// GetValue shows.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 16; // one line of the cache

enum Step : uint32_t {
  WRITER_CLEANS = 1,
  READER_LOOKED_BEFORE = 2,
  READER_INVALIDATES = 4,
  READER_COPIES = 8,
  WRITER_COPIES = 16,
  CLEAN_TOO_LATE = 32,
  CLEAN_EVERYTHING = 64,
};

__aicore__ inline void clean(const GlobalTensor<int32_t> &g, bool all) {
  if (all)
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE,
                             DcciDst::CACHELINE_OUT>(g);
  else
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                             DcciDst::CACHELINE_OUT>(g);
}

extern "C" __global__ __aicore__ void message(GM_ADDR m, uint32_t how) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64);
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  GlobalTensor<int32_t> g;
  g.SetGlobalBuffer((__gm__ int32_t *)m, 4 * N);
  bool writer = GetBlockIdx() == 0;
  int32_t seen = 0;
  if (!writer && (how & READER_LOOKED_BEFORE))
    seen += g.GetValue(1);
  SyncAll();
  if (writer && !(how & WRITER_COPIES)) {
    g.SetValue(0, 42); // into the cache
    if (how & WRITER_CLEANS)
      clean(g, how & CLEAN_EVERYTHING);
  } else if (writer) {
    Duplicate(t, 42, N);
    PipeBarrier<PIPE_ALL>();
    DataCopy(g, t, N); // into memory
    PipeBarrier<PIPE_ALL>();
  }
  SyncAll();
  if (writer && (how & CLEAN_TOO_LATE))
    clean(g, false);
  if (!writer) {
    if (how & READER_INVALIDATES)
      clean(g, how & CLEAN_EVERYTHING);
    if (how & READER_COPIES)
      DataCopy(t, g, N); // loads
    else
      seen += g.GetValue(0); // looks
    PipeBarrier<PIPE_ALL>();
    g.SetValue(2 * N, seen);
  }
}

// Each core writes a number; `step` of them apart.
extern "C" __global__ __aicore__ void numbers(GM_ADDR m, uint32_t step) {
  GlobalTensor<int32_t> g;
  g.SetGlobalBuffer((__gm__ int32_t *)m);
  g.SetValue(GetBlockIdx() * step, 7); // my number
}

// One core, which copies what it has just written by scalar.
extern "C" __global__ __aicore__ void own(GM_ADDR m, uint32_t cleans) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64);
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  GlobalTensor<int32_t> g;
  g.SetGlobalBuffer((__gm__ int32_t *)m);
  g.SetValue(3, 7);
  if (cleans)
    clean(g, false);
  SetFlag<HardEvent::S_MTE2>(0);
  WaitFlag<HardEvent::S_MTE2>(0);
  DataCopy(t, g, N); // copies its own
}
