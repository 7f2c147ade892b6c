#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> memory;
  pipe.InitBuffer(memory, 256);
  LocalTensor<float> t = memory.Get<float>();
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float *)x, 64);
  to.SetGlobalBuffer((__gm__ float *)y, 64);
  DataCopy(t, from, 64);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Muls(t, t, 2.0f, 64);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, t, 64);
}
