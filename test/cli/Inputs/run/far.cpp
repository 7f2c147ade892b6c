#include "kernel_operator.h"
using namespace AscendC;

// The first elements of the last GiB of an input of 16 GiB.
extern "C" __global__ __aicore__ void far(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float *)x + (uint64_t(15) << 28), 8);
  to.SetGlobalBuffer((__gm__ float *)y, 8);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopy(t, from, 8);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(to, t, 8);
}

// Adds 1 to the first elements.
extern "C" __global__ __aicore__ void twice(GM_ADDR x) {
  GlobalTensor<float> both;
  both.SetGlobalBuffer((__gm__ float *)x, 1024);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32);
  LocalTensor<float> t = buffer.Get<float>();
  DataCopy(t, both, 8);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  Adds(t, t, 1.0f, 8);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(both, t, 8);
}
