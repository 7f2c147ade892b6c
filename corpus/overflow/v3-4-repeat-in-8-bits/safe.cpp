#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LANES = 64; // floats in one repeat

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR z,
                                                uint32_t n) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, n * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  zGm.SetGlobalBuffer((__gm__ float *)z, n);

  DataCopy(t, xGm, n);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  uint32_t repeats = n / LANES;
  for (uint32_t done = 0; done < repeats; done += 128)
    Adds(t[done * LANES], t[done * LANES], 1.0f, LANES,
         repeats - done < 128 ? repeats - done : 128, {1, 1, 8, 8});
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, n);
}
