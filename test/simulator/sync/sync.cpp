// One buffer goes through load, two vector instructions and store, several
// times. Every order is needed; `skip` leaves out one of them.
#include "kernel_operator.h"
using namespace AscendC;

enum Skip : uint32_t { NOTHING, LOADED, COMPUTED_ONCE, COMPUTED, STORED, READ };

constexpr uint32_t TILE = 512;

template <HardEvent event> __aicore__ inline void Order(event_t id) {
  SetFlag<event>(id);
  WaitFlag<event>(id);
}

extern "C" __global__ __aicore__ void chain(GM_ADDR x, GM_ADDR y, uint32_t n,
                                            uint32_t skip) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, n);
  yGm.SetGlobalBuffer((__gm__ float *)y, n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, TILE * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  float last = 0;
  for (uint32_t at = 0; at < n; at += TILE) {
    DataCopy(t, xGm[at], TILE); // load
    if (skip != LOADED)
      Order<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t, t, 1.0f, TILE); // first
    if (skip != COMPUTED_ONCE)
      PipeBarrier<PIPE_V>();
    Muls(t, t, 2.0f, TILE); // second
    if (skip != COMPUTED)
      Order<HardEvent::V_MTE3>(EVENT_ID3);
    DataCopy(yGm[at], t, TILE); // store
    if (skip != READ)
      Order<HardEvent::V_S>(EVENT_ID5);
    last += t.GetValue(TILE - 1); // look
    if (skip != STORED)
      Order<HardEvent::MTE3_MTE2>(EVENT_ID1);
  }
  PipeBarrier<PIPE_ALL>();
  yGm.SetValue(n, last);
}
