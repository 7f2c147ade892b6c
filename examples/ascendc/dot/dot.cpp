// Dot product over all cores without atomics, so that the result is the same in
// every run: each core leaves its sum in the workspace, a barrier, and the
// first one adds the sums in order.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2048;
constexpr uint32_t PER_BLOCK = 8; // a block of the workspace per core

class KernelDot {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                              GM_ADDR workspace, uint32_t total) {
    uint32_t blocks = (total + 7) / 8;
    begin = blocks * GetBlockIdx() / GetBlockNum() * 8;
    end = blocks * (GetBlockIdx() + 1) / GetBlockNum() * 8;
    end = end < total ? end : total;
    xGm.SetGlobalBuffer((__gm__ float *)x, total);
    yGm.SetGlobalBuffer((__gm__ float *)y, total);
    zGm.SetGlobalBuffer((__gm__ float *)z, 1);
    sumsGm.SetGlobalBuffer((__gm__ float *)workspace,
                           GetBlockNum() * PER_BLOCK);
    pipe.InitBuffer(inX, 2, TILE * sizeof(float));
    pipe.InitBuffer(inY, 2, TILE * sizeof(float));
    pipe.InitBuffer(workBuf, TILE * sizeof(float));
    pipe.InitBuffer(sumBuf, 2 * 32);
    pipe.InitBuffer(allBuf, GetBlockNum() * 32);
  }
  __aicore__ inline void Process() {
    LocalTensor<float> total = sumBuf.Get<float>();
    Duplicate(total, 0.0f, PER_BLOCK);
    PipeBarrier<PIPE_V>();
    for (uint32_t at = begin; at < end; at += TILE)
      Accumulate(total, at, end - at < TILE ? end - at : TILE);
    Order<HardEvent::V_MTE3>();
    DataCopy(sumsGm[GetBlockIdx() * PER_BLOCK], total, PER_BLOCK);
    // SyncAll orders the cores once the copy has left: wait for it first.
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    if (GetBlockIdx() == 0)
      AddUp();
  }

private:
  __aicore__ inline void Accumulate(const LocalTensor<float> &total,
                                    uint32_t at, uint32_t count) {
    LocalTensor<float> x = inX.AllocTensor<float>();
    LocalTensor<float> y = inY.AllocTensor<float>();
    DataCopyExtParams piece{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    DataCopyPad(x, xGm[at], piece, {false, 0, 0, 0});
    DataCopyPad(y, yGm[at], piece, {false, 0, 0, 0});
    inX.EnQue(x);
    inY.EnQue(y);
    x = inX.DeQue<float>();
    y = inY.DeQue<float>();
    LocalTensor<float> sum = sumBuf.Get<float>()[PER_BLOCK];
    Mul(x, x, y, count);
    PipeBarrier<PIPE_V>();
    ReduceSum(sum, x, workBuf.Get<float>(), count);
    PipeBarrier<PIPE_V>();
    Add(total, total, sum, 1);
    PipeBarrier<PIPE_V>();
    inX.FreeTensor(x);
    inY.FreeTensor(y);
  }
  __aicore__ inline void AddUp() {
    uint32_t cores = GetBlockNum();
    LocalTensor<float> all = allBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    DataCopy(all, sumsGm, cores * PER_BLOCK);
    Order<HardEvent::MTE2_V>();
    // Blocks are zero after their first element: all of them can be summed.
    ReduceSum(sum, all, workBuf.Get<float>(), cores * PER_BLOCK);
    Order<HardEvent::V_MTE3>();
    DataCopyPad(zGm, sum, {1, sizeof(float), 0, 0, 0});
  }
  template <HardEvent event> __aicore__ inline void Order() {
    TEventID id = GetTPipePtr()->FetchEventID<event>();
    SetFlag<event>(id);
    WaitFlag<event>(id);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX, inY;
  TBuf<TPosition::VECCALC> workBuf, sumBuf, allBuf;
  GlobalTensor<float> xGm, yGm, zGm, sumsGm;
  uint32_t begin, end;
};

extern "C" __global__ __aicore__ void dot(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                          uint32_t total, GM_ADDR workspace) {
  KernelDot op;
  op.Init(x, y, z, workspace, total);
  op.Process();
}
