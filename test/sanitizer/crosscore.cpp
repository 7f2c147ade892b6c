// Flags between cores: ids that SyncAll uses, sets that nobody waits for, and
// the order that each kind of flag makes.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

struct Part {
  __aicore__ inline Part(GM_ADDR z) {
    pipe.InitBuffer(buf, N * sizeof(float));
    t = buf.Get<float>();
    out.SetGlobalBuffer((__gm__ float *)z);
  }
  __aicore__ inline void store(uint32_t part) {
    Duplicate(t, float(part), N);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out[part * N], t, N); // my part
    PipeBarrier<PIPE_ALL>();
  }
  __aicore__ inline void load(uint32_t part) {
    DataCopy(t, out[part * N], N); // the part of another core
    PipeBarrier<PIPE_ALL>();
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  LocalTensor<float> t;
  GlobalTensor<float> out;
};

extern "C" __global__ __aicore__ void reserved(GM_ADDR z, uint32_t id,
                                               uint32_t meet) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  CrossCoreSetFlag<0x0, PIPE_MTE3>(id); // an id of its own
  CrossCoreWaitFlag(id);
  if (meet)
    SyncAll();
}

// Sets `sets` times and waits `waits` times.
extern "C" __global__ __aicore__ void count(GM_ADDR z, uint32_t sets,
                                            uint32_t waits) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  for (uint32_t i = 0; i < sets; ++i)
    CrossCoreSetFlag<0x0, PIPE_MTE3>(3); // set in a row
  for (uint32_t i = 0; i < waits; ++i)
    CrossCoreWaitFlag(3);
}

// The same id, first between all vector cores and then inside each block.
extern "C" __global__ __aicore__ void modes(GM_ADDR z, uint32_t sync,
                                            uint32_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  if ASCEND_IS_AIV {
    uint32_t me = GetBlockIdx(), all = 2 * GetBlockNum();
    Part p(z);
    p.store(me);
    CrossCoreSetFlag<0x0, PIPE_MTE3>(5);
    CrossCoreWaitFlag(5);
    p.load((me + 2) % all);
    if (sync) {
      CrossCoreSetFlag<0x0, PIPE_MTE2>(6);
      CrossCoreWaitFlag(6);
    }
    p.store(me);
    CrossCoreSetFlag<0x1, PIPE_MTE3>(5);
    CrossCoreWaitFlag(5);
    p.load(me ^ 1);
  }
}

// A flag that all set and wait for orders one's own pipes, too: the one that
// set it before what comes after the wait.
extern "C" __global__ __aicore__ void own(GM_ADDR z, uint32_t stored,
                                          uint32_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  Part p(z);
  Duplicate(p.t, 1.0f, N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(p.out[GetBlockIdx() * N], p.t, N);
  if (stored)
    CrossCoreSetFlag<0x0, PIPE_MTE3>(7);
  else
    CrossCoreSetFlag<0x0, PIPE_V>(7); // not what stores
  CrossCoreWaitFlag(7);
  DataCopy(p.t, p.out[GetBlockIdx() * N], N); // back again
}

// A vector core tells the next one through a word of a workspace.
extern "C" __global__ __aicore__ void soft(GM_ADDR z, GM_ADDR words,
                                           uint32_t sync) {
  Part p(z);
  TBuf<TPosition::VECCALC> ub;
  p.pipe.InitBuffer(ub, 8 * GetBlockNum() * sizeof(int32_t));
  GlobalTensor<int32_t> flags;
  flags.SetGlobalBuffer((__gm__ int32_t *)words);
  int32_t me = GetBlockIdx();
  if (sync && me > 0)
    IBWait(flags, ub.Get<int32_t>(), me - 1, 0);
  if (me > 0)
    p.load(me - 1);
  p.store(me);
  if (sync && me + 1 < GetBlockNum())
    IBSet(flags, ub.Get<int32_t>(), me, 0);
}

// The first core tells the others by a barrier of groups. 0: before it has
// stored, and they do not wait; 1: after it; 2: before.
extern "C" __global__ __aicore__ void groups(GM_ADDR z, GM_ADDR words,
                                             uint32_t how) {
  Part p(z);
  GroupBarrier<PipeMode::MTE3_MODE> bar(words, 1, GetBlockNum() - 1);
  int32_t me = GetBlockIdx();
  if (me == 0) {
    if (how == 2)
      bar.Arrive(0);
    p.store(0);
    if (how < 2)
      bar.Arrive(0);
  } else {
    if (how > 0)
      bar.Wait(me - 1);
    p.load(0);
  }
}
