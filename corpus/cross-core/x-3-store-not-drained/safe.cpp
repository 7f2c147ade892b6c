#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint16_t STORED = 1;
constexpr pipe_t LAST = PIPE_MTE3;

extern "C" __global__ __aicore__ void swap(GM_ADDR z, GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  uint32_t me = GetBlockIdx(), other = 1 - me;
  GlobalTensor<float> zGm, shared;
  zGm.SetGlobalBuffer((__gm__ float *)z);
  shared.SetGlobalBuffer((__gm__ float *)workspace);

  Duplicate(t, float(me), N);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(shared[me * N], t, N);
  CrossCoreSetFlag<0x0, LAST>(STORED);
  CrossCoreWaitFlag(STORED);
  SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
  DataCopy(t, shared[other * N], N);
  PipeBarrier<PIPE_ALL>();
  DataCopy(zGm[me * N], t, N);
}
