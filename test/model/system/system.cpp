// Where a core is, what it starts with, and how barriers order cores.
#include "kernel_operator.h"
using namespace AscendC;

// One row of eight numbers per core: cubes first, then vector cores.
extern "C" __global__ __aicore__ void identity(GM_ADDR seen, uint32_t cubes) {
  bool cube = false;
  if ASCEND_IS_AIC {
    cube = true;
  }
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t *)seen);
  int64_t row = cubes == 0 || cube ? GetBlockIdx() : cubes + GetBlockIdx();
  gm.SetValue(row * 8 + 0, cube);
  gm.SetValue(row * 8 + 1, (int32_t)GetBlockIdx());
  gm.SetValue(row * 8 + 2, (int32_t)GetBlockNum());
  gm.SetValue(row * 8 + 3, (int32_t)GetSubBlockIdx());
  gm.SetValue(row * 8 + 4, (int32_t)GetSubBlockNum());
  gm.SetValue(row * 8 + 5, (int32_t)GetTaskRation());
  gm.SetValue(row * 8 + 6, (int32_t)GetTaskRatio());
  int64_t before = GetSystemCycle();
  int64_t after = GetSystemCycle();
  gm.SetValue(row * 8 + 7, before > 0 && after >= before);
}

// Every core writes its number, meets the others, and sums what all wrote: for
// several iterations, so that a core that runs ahead would be seen.
extern "C" __global__ __aicore__ void meet(GM_ADDR shared, GM_ADDR sums,
                                           GM_ADDR workspace, uint32_t rounds,
                                           bool soft) {
  int64_t me = GetBlockIdx(), cores = GetBlockNum();
  GlobalTensor<int32_t> sharedGm, sumGm, syncGm;
  sharedGm.SetGlobalBuffer((__gm__ int32_t *)shared, cores);
  sumGm.SetGlobalBuffer((__gm__ int32_t *)sums, cores * rounds);
  syncGm.SetGlobalBuffer((__gm__ int32_t *)workspace, cores * 8);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> work;
  pipe.InitBuffer(work, 1, cores * 32);
  LocalTensor<int32_t> syncLocal = work.AllocTensor<int32_t>();
  auto all = [&]() {
    if (soft)
      SyncAll(syncGm, syncLocal);
    else
      SyncAll();
  };
  for (uint32_t r = 0; r < rounds; ++r) {
    sharedGm.SetValue(me, (int32_t)((r + 1) * (me + 1)));
    all();
    int32_t sum = 0;
    for (int64_t i = 0; i < cores; ++i)
      sum += sharedGm.GetValue(i);
    sumGm.SetValue(r * cores + me, sum);
    all();
  }
  work.FreeTensor(syncLocal);
}

// Leaves the core in an unusual state, resets it in one way or another, and
// computes.
extern "C" __global__ __aicore__ void soc_state(GM_ADDR x, GM_ADDR y,
                                                uint32_t n, uint32_t how) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, n * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  SetAtomicAdd<float>();
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(8);
  if (how == 1)
    InitSocState();
  if (how == 2)
    SetAtomicNone();
  if (how == 3)
    DisableDmaAtomic();
  if (how == 4) {
    SetMaskNorm();
    ResetMask();
  }
  DataCopy(t, xGm, n);
  PipeBarrier<PIPE_ALL>();
  Adds<float, false>(t, t, 1.0f, MASK_PLACEHOLDER, n / 64, {1, 1, 8, 8});
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, t, n);
  PipeBarrier<PIPE_ALL>();
  SetAtomicNone();
  SetMaskNorm();
  ResetMask();
}

// A vector core adds 1 to what its cube core has left, and the cube core
// to what the vector core has left, block by block.
extern "C" __global__ __aicore__ void ping_pong(GM_ADDR counters,
                                                uint32_t rounds) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t *)counters);
  if ASCEND_IS_AIC {
    int64_t at = GetBlockIdx() * 8;
    for (uint32_t r = 0; r < rounds; ++r) {
      gm.SetValue(at, gm.GetValue(at) + gm.GetValue(at + 1) + 1);
      CrossCoreSetFlag<2, PIPE_FIX>(3);
      CrossCoreWaitFlag(4);
    }
  }
  if ASCEND_IS_AIV {
    int64_t at = GetBlockIdx() / GetSubBlockNum() * 8;
    for (uint32_t r = 0; r < rounds; ++r) {
      CrossCoreWaitFlag(3);
      if (GetSubBlockIdx() == 0)
        gm.SetValue(at + 1, gm.GetValue(at) * 2);
      CrossCoreSetFlag<2, PIPE_MTE3>(4);
    }
  }
}

// Mode 0: the vector cores of all blocks wait for each other.
extern "C" __global__ __aicore__ void flag_barrier(GM_ADDR shared,
                                                   GM_ADDR sums) {
  int64_t me = GetBlockIdx(), cores = GetBlockNum();
  GlobalTensor<int32_t> sharedGm, sumGm;
  sharedGm.SetGlobalBuffer((__gm__ int32_t *)shared, cores);
  sumGm.SetGlobalBuffer((__gm__ int32_t *)sums, cores);
  sharedGm.SetValue(me, (int32_t)me + 1);
  CrossCoreSetFlag<0, PIPE_MTE3>(5);
  CrossCoreWaitFlag(5);
  int32_t sum = 0;
  for (int64_t i = 0; i < cores; ++i)
    sum += sharedGm.GetValue(i);
  sumGm.SetValue(me, sum);
}
