#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint16_t STORED = 3;

extern "C" __global__ __aicore__ void pass_on(GM_ADDR z, GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  TPipe pipe;
  GlobalTensor<half> zGm, middle;
  zGm.SetGlobalBuffer((__gm__ half *)z);
  middle.SetGlobalBuffer((__gm__ half *)GetUserWorkspace(workspace));
  if ASCEND_IS_AIV {
    uint32_t me = GetBlockIdx();
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, N * sizeof(half));
    LocalTensor<half> t = buf.Get<half>();
    Duplicate(t, half(me), N);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
    DataCopy(middle[me * N], t, N);
    CrossCoreSetFlag<0x2, PIPE_MTE3>(STORED); // without: cross-core-deadlock
  }
  if ASCEND_IS_AIC {
    uint32_t first = GetBlockIdx() * 2 * N;
    TBuf<TPosition::A1> buf;
    pipe.InitBuffer(buf, 2 * N * sizeof(half));
    LocalTensor<half> t = buf.Get<half>();
    CrossCoreWaitFlag(STORED); // without: race-between-cores
    DataCopy(t, middle[first], 2 * N);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); // without: missing-sync
    DataCopy(zGm[first], t, 2 * N);
  }
}
