#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 16;

extern "C" __global__ __aicore__ void count_up(GM_ADDR z, uint32_t first) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(int32_t));
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  GlobalTensor<int32_t> zGm;
  zGm.SetGlobalBuffer((__gm__ int32_t *)z, N);

  for (uint32_t i = 0; i < N; ++i)
    t.SetValue(i, first + i);
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
