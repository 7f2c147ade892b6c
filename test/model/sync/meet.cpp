// Cores that meet, pipes that wait, and the scalar unit's own words.
#include "../call.h"

using namespace AscendC;

/// Each block writes its part of `work`, meets the others, and sums all parts.
/// how: 0 SyncAll, 1 the soft form, 2 the soft form with some cores only.
__global__ __aicore__ void meet(GM_ADDR xIn, GM_ADDR sync, GM_ADDR work,
                                GM_ADDR zOut, int32_t how, int32_t rounds) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64 * 32);
  GlobalTensor<int32_t> flags;
  flags.SetGlobalBuffer((__gm__ int32_t *)sync);
  int32_t block = GetBlockIdx(), blocks = GetBlockNum();
  auto x = load<int32_t>(pipe, xIn + block * 32, 8);
  auto sum = load<int32_t>(pipe, zOut + block * 32, 8);
  for (int32_t round = 0; round < rounds; ++round) {
    Adds(x, x, 1, 8);
    store(x, work + (round * blocks + block) * 32, 8);
    if (how == 0)
      SyncAll();
    else
      SyncAll(flags, buf.Get<int32_t>(), how == 2 ? blocks : 0);
    for (int32_t other = 0; other < blocks; ++other) {
      auto part = load<int32_t>(pipe, work + (round * blocks + other) * 32, 8);
      Add(sum, sum, part, 8);
    }
  }
  store(sum, zOut + block * 32, 8);
}

/// The first `arriving` blocks each write a part, the others add all of them,
/// time after time. A core that has waited may still read while the next parts
/// are written, elsewhere.
__global__ __aicore__ void groups(GM_ADDR sync, GM_ADDR work, GM_ADDR zOut,
                                  int32_t arriving, int32_t times) {
  TPipe pipe;
  int32_t block = GetBlockIdx(), waiting = GetBlockNum() - arriving;
  GroupBarrier<PipeMode::MTE3_MODE> bar(sync, arriving, waiting);
  if (bar.GetWorkspaceLen() != (arriving > waiting ? arriving : waiting) * 512)
    return;
  auto sum = load<int32_t>(pipe, zOut + block * 32, 8);
  for (int32_t time = 0; time < times; ++time) {
    GM_ADDR parts = work + time * arriving * 32;
    if (block < arriving) {
      Adds(sum, sum, block + 1, 8);
      store(sum, parts + block * 32, 8);
      bar.Arrive(block); // an index of the group
    } else {
      bar.Wait(block - arriving);
      for (int32_t other = 0; other < arriving; ++other) {
        auto part = load<int32_t>(pipe, parts + other * 32, 8);
        Add(sum, sum, part, 8);
      }
    }
  }
  store(sum, zOut + block * 32, 8);
}

/// how: 0 a wait that lasts, 1 an index of no core.
__global__ __aicore__ void groups_alone(GM_ADDR sync, int32_t how) {
  GroupBarrier<PipeMode::MTE3_MODE> bar(sync, 1, 1);
  if (how == 0 && GetBlockIdx() == 1)
    bar.Wait(0); // nobody arrives
  else if (how == 1)
    bar.Arrive(1); // past the group
}

/// Block 0 to block 1 to block 2, each adding to what the one before wrote.
__global__ __aicore__ void chain(GM_ADDR sync, GM_ADDR zOut) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32);
  GlobalTensor<int32_t> flags;
  flags.SetGlobalBuffer((__gm__ int32_t *)sync);
  int32_t block = GetBlockIdx();
  if (block > 0)
    IBWait(flags, buf.Get<int32_t>(), block - 1, 0);
  auto z = load<int32_t>(pipe, zOut, 8);
  Muls(z, z, 3, 8);
  Adds(z, z, block, 8);
  store(z, zOut, 8);
  if (block + 1 < GetBlockNum())
    IBSet(flags, buf.Get<int32_t>(), block, 0);
}

/// Blocks in order, iteration after iteration, without a cleared workspace.
__global__ __aicore__ void ordered(GM_ADDR sync, GM_ADDR zOut, int32_t rounds) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, GetBlockNum() * 32 + 32);
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t *)sync);
  auto ub = buf.Get<int32_t>();
  InitDetermineComputeWorkspace(gm, ub);
  for (int32_t round = 0; round < rounds; ++round) {
    WaitPreBlock(gm, ub);
    auto z = load<int32_t>(pipe, zOut, 8);
    Muls(z, z, 3, 8);
    Adds(z, z, static_cast<int32_t>(GetBlockIdx()), 8);
    store(z, zOut, 8);
    NotifyNextBlock(gm, ub);
  }
}

/// Block 0 tells the others through a word in global memory. how: 0 the data
/// cache, 1 past it, 2 never.
__global__ __aicore__ void poll(GM_ADDR flagIn, GM_ADDR zOut, int32_t how) {
  auto *flag = (__gm__ int32_t *)flagIn;
  auto *z = (__gm__ int32_t *)zOut;
  GlobalTensor<int32_t> g;
  g.SetGlobalBuffer(flag);
  int32_t block = GetBlockIdx();
  if (block == 0) {
    if (how == 0) {
      g.SetValue(0, 77);
      DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                               DcciDst::CACHELINE_OUT>(g);
    } else if (how == 1) {
      WriteGmByPassDCache<int32_t>(flag, 77);
      DataSyncBarrier<MemDsbT::DDR>();
    }
  } else {
    int32_t seen = 0;
    while (seen != 77) {
      if (how == 0) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(g);
        seen = g.GetValue(0);
      } else {
        seen = ReadGmByPassDCache<int32_t>(flag);
      }
    }
    z[block] = seen;
  }
}

/// Waits that nobody can end.
__global__ __aicore__ void alone(GM_ADDR sync, int32_t how) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 256);
  GlobalTensor<int32_t> flags;
  flags.SetGlobalBuffer((__gm__ int32_t *)sync);
  if (how == 0 && GetBlockIdx() == 1)
    IBWait(flags, buf.Get<int32_t>(), 0, 0); // nobody sets it
  else if (how == 1 && GetBlockIdx() == 1)
    SyncAll(flags, buf.Get<int32_t>()); // block 0 does not come
}

/// Flags in both spellings, barriers, TQueSync: the values do not depend on
/// them, the ids are checked.
__global__ __aicore__ void flags(GM_ADDR xIn, GM_ADDR zOut, int32_t id) {
  TPipe pipe;
  auto x = load<float>(pipe, xIn, 8);
  SetFlag<HardEvent::MTE2_V>(id); // the id counts
  WaitFlag<HardEvent::MTE2_V>(id);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
  TQueSync<PIPE_S, PIPE_MTE3> sync;
  sync.SetFlag(0);
  sync.WaitFlag(0);
  pipe_barrier(PIPE_ALL);
  PipeBarrier<PIPE_V>();
  SetNextTaskStart();
  WaitPreTaskEnd();
  store(x, zOut, 8);
}

/// Locks of 950. how: 0 right, 1 unlocked first, 2 locked twice.
__global__ __aicore__ void locks(GM_ADDR xIn, GM_ADDR zOut, int32_t how) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32);
  auto x = buf.Get<float>();
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer((__gm__ float *)xIn);
  out.SetGlobalBuffer((__gm__ float *)zOut);
  MutexID id = AllocMutexID();
  if (how == 1)
    Mutex::Unlock<PIPE_V>(id);
  Mutex::Lock<PIPE_MTE2>(id);
  DataCopy(x, in, 8);
  if (how == 2)
    Mutex::Lock<PIPE_MTE2>(id);
  Mutex::Unlock<PIPE_MTE2>(id);
  Mutex::Lock<PIPE_V>(id);
  Adds(x, x, 1.0f, 8);
  Mutex::Unlock<PIPE_V>(id);
  Mutex::Lock<PIPE_MTE3>(id);
  DataCopy(out, x, 8);
  Mutex::Unlock<PIPE_MTE3>(id);
  ReleaseMutexID(id);
}

/// Words of global memory, changed by the scalar units of all blocks at once.
__global__ __aicore__ void words(GM_ADDR zOut) {
  auto *s = (__gm__ int32_t *)zOut;
  auto *u = (__gm__ uint32_t *)zOut;
  auto *f = (__gm__ float *)zOut;
  int32_t block = GetBlockIdx();
  AtomicAdd(s, block + 1);
  AtomicMax(s + 1, block);
  AtomicMin(s + 2, -block);
  AtomicAdd(f + 3, 0.5f);
  AtomicExch(u + 4, uint32_t(9));
  while (AtomicCas(u + 5, uint32_t(block), uint32_t(block + 1)) !=
         uint32_t(block))
    ; // in the order of the blocks
}
