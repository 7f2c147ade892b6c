// What a block reads of a workspace after a barrier, others wrote before it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t EACH = 8, BLOCKS = 8;

struct Shared {
  TPipe pipe;
  TBuf<TPosition::VECCALC> part, all, barrier;
  GlobalTensor<float> xGm, yGm, wsGm;
  GlobalTensor<int32_t> syncGm;
  __aicore__ inline void init(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    wsGm.SetGlobalBuffer((__gm__ float *)workspace);
    pipe.InitBuffer(part, EACH * sizeof(float));
    pipe.InitBuffer(all, 1024 * sizeof(float));
  }
  __aicore__ inline void store(uint32_t at) {
    LocalTensor<float> t = part.Get<float>();
    DataCopy(t, xGm[GetBlockIdx() * EACH], EACH);
    PipeBarrier<PIPE_ALL>();
    DataCopy(wsGm[at], t, EACH);
    PipeBarrier<PIPE_ALL>();
  }
  __aicore__ inline void load(uint32_t from, uint32_t length, uint32_t to) {
    LocalTensor<float> t = all.Get<float>();
    DataCopy(t, wsGm[from], length);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm[to], t, length);
    PipeBarrier<PIPE_ALL>();
  }
};

// Each block its part; block 0 reads as many as there are.
extern "C" __global__ __aicore__ void parts(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  s.store(GetBlockIdx() * EACH);
  SyncAll();
  if (GetBlockIdx() == 0)
    for (uint32_t i = 0; i < GetBlockNum(); ++i)
      s.load(i * EACH, EACH, i * EACH);
}

// So many blocks have to be there.
extern "C" __global__ __aicore__ void eight(GM_ADDR x, GM_ADDR y,
                                            GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  s.store(GetBlockIdx() * EACH);
  SyncAll();
  if (GetBlockIdx() == 0)
    s.load(0, BLOCKS * EACH, 0);
}

// Nobody wrote the part after the last one.
extern "C" __global__ __aicore__ void one_more(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  s.store(GetBlockIdx() * EACH);
  SyncAll();
  if (GetBlockIdx() == 0)
    for (uint32_t i = 0; i <= GetBlockNum(); ++i)
      s.load(i * EACH, EACH, i * EACH);
}

// Half of each part is left out.
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y,
                                             GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  s.store(GetBlockIdx() * EACH * 2);
  SyncAll();
  if (GetBlockIdx() == 0)
    s.load(0, BLOCKS * EACH, 0);
}

// Blocks with no work write nothing.
extern "C" __global__ __aicore__ void idle(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, uint32_t used) {
  Shared s;
  s.init(x, y, workspace);
  if (GetBlockIdx() < used)
    s.store(GetBlockIdx() * EACH);
  SyncAll();
  if (GetBlockIdx() == 0)
    s.load(0, BLOCKS * EACH, 0);
}

// Some blocks write nothing, and theirs is read.
extern "C" __global__ __aicore__ void odd_ones(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  if (GetBlockIdx() % 2 == 0)
    s.store(GetBlockIdx() * EACH);
  SyncAll();
  if (GetBlockIdx() == 0)
    s.load(0, BLOCKS * EACH, 0);
}

// Block 0 writes what all read.
extern "C" __global__ __aicore__ void from_first(GM_ADDR x, GM_ADDR y,
                                                 GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  if (GetBlockIdx() == 0)
    s.store(0);
  SyncAll();
  s.load(0, EACH, GetBlockIdx() * EACH);
}

// Block 1 does, which need not be there.
extern "C" __global__ __aicore__ void from_second(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  if (GetBlockIdx() == 1)
    s.store(0);
  SyncAll();
  s.load(0, EACH, GetBlockIdx() * EACH);
}

// It is written after the barrier.
extern "C" __global__ __aicore__ void too_late(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  SyncAll();
  if (GetBlockIdx() == 0)
    s.store(0);
  else
    s.load(0, EACH, GetBlockIdx() * EACH);
}

// Sums of all blocks, over what block 0 has set to zero.
extern "C" __global__ __aicore__ void sums(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  if (GetBlockIdx() == 0)
    s.store(0);
  SyncAll();
  SetAtomicAdd<float>();
  s.store(0);
  SetAtomicNone();
  SyncAll();
  if (GetBlockIdx() == 0)
    s.load(0, EACH, 0);
}

// Over what nobody has written.
extern "C" __global__ __aicore__ void sums_of_nothing(GM_ADDR x, GM_ADDR y,
                                                      GM_ADDR workspace) {
  Shared s;
  s.init(x, y, workspace);
  SetAtomicAdd<float>();
  s.store(0);
  SetAtomicNone();
  SyncAll();
  if (GetBlockIdx() == 0)
    s.load(0, EACH, 0);
}
