// One buffer goes through load, two vector instructions and store, several
// times. Every order is needed; `skip` leaves out one of them.
#include "kernel_operator.h"
using namespace AscendC;

enum Skip : uint32_t { NOTHING, LOADED, COMPUTED_ONCE, COMPUTED, STORED, READ };

constexpr uint32_t TILE = 512;

template <HardEvent event> __aicore__ inline void Order(event_t id) {
  SetFlag<event>(id);
  WaitFlag<event>(id);
}

extern "C" __global__ __aicore__ void chain(GM_ADDR x, GM_ADDR y, uint32_t n,
                                            uint32_t skip) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, TILE * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  float last = 0;
  for (uint32_t at = 0; at < n; at += TILE) {
    DataCopy(t, xGm[at], TILE); // load
    if (skip != LOADED)
      Order<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t, t, 1.0f, TILE); // first
    if (skip != COMPUTED_ONCE)
      PipeBarrier<PIPE_V>();
    Muls(t, t, 2.0f, TILE); // second
    if (skip != COMPUTED)
      Order<HardEvent::V_MTE3>(EVENT_ID3);
    DataCopy(yGm[at], t, TILE); // store
    if (skip != READ)
      Order<HardEvent::V_S>(EVENT_ID5);
    last += t.GetValue(TILE - 1); // look
    if (skip != STORED)
      Order<HardEvent::MTE3_MTE2>(EVENT_ID1);
  }
  PipeBarrier<PIPE_ALL>();
  yGm.SetValue(n, last);
}

// The same chain ordered by locks: a pipe that locks waits until the pipe that
// locked before has unlocked.
extern "C" __global__ __aicore__ void locked(GM_ADDR x, GM_ADDR y, uint32_t n,
                                             uint32_t fault) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, TILE * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  MutexID id = AllocMutexID(), other = AllocMutexID();
  yGm.SetValue(n, id != other);
  for (uint32_t at = 0; at < n; at += TILE) {
    Mutex::Lock<PIPE_MTE2>(id);
    DataCopy(t, xGm[at], TILE);
    Mutex::Unlock<PIPE_MTE2>(id);
    Mutex::Lock<PIPE_V>(id);
    Adds(t, t, 1.0f, TILE);
    Mutex::Unlock<PIPE_V>(id);
    Mutex::Lock<PIPE_MTE3>(id);
    DataCopy(yGm[at], t, TILE);
    Mutex::Unlock<PIPE_MTE3>(id);
  }
  if (fault == 1)
    Mutex::Unlock<PIPE_V>(id); // not held
  if (fault == 2)
    for (uint32_t i = 0; i < 27; ++i)
      AllocMutexID(); // none left
  ReleaseMutexID(id);
  yGm.SetValue(n + 1, AllocMutexID() == id);
}

// What the scalar unit wrote reaches the copy engine of another core only after
// the cache was cleaned; what it reads anew, only after it was invalidated.
extern "C" __global__ __aicore__ void through_cache(GM_ADDR word, GM_ADDR y) {
  GlobalTensor<int32_t> wordGm, yGm;
  wordGm.SetGlobalBuffer((__gm__ int32_t *)word, 16 * GetBlockNum());
  yGm.SetGlobalBuffer((__gm__ int32_t *)y, GetBlockNum());
  uint32_t me = GetBlockIdx(), next = (me + 1) % GetBlockNum();
  wordGm.SetValue(me * 16, 100 + me); // a cache line per core
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                           DcciDst::CACHELINE_OUT>(wordGm[me * 16]);
  SyncAll();
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE,
                           DcciDst::CACHELINE_OUT>(wordGm);
  yGm.SetValue(me, wordGm.GetValue(next * 16));
}
