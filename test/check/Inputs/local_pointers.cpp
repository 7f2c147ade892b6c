// Pointers into local memory, for which the compiler inserts no flags:
// test/check/local-pointers.test.
#include "kernel_operator.h"
using namespace AscendC;

struct Tile {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  LocalTensor<float> t;
  GlobalTensor<float> z;
  __aicore__ inline Tile(GM_ADDR to) {
    pipe.InitBuffer(buf, 256);
    t = buf.Get<float>();
    z.SetGlobalBuffer((__gm__ float *)to, 64);
    Duplicate(t, 0.0f, 64);
  }
  __aicore__ inline void store() {
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(z, t, 64);
  }
};

// SetValue, GetValue and t(i) are what it knows.
extern "C" __global__ __aicore__ void by_tensor(GM_ADDR z) {
  Tile x(z);
  x.t(0) = 1.0f;
  x.t(1) += x.t(0);
  x.t.SetValue(2, x.t.GetValue(1));
  Adds(x.t, x.t, 1.0f, 64);
  x.store();
}
extern "C" __global__ __aicore__ void stored(GM_ADDR z) {
  Tile x(z);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  auto p = (__ubuf__ float *)x.t.GetPhyAddr();
  p[2] = 1.0f;              // other
  Adds(x.t, x.t, 1.0f, 64); // site
  x.store();
}
extern "C" __global__ __aicore__ void stored_too_early(GM_ADDR z) {
  Tile x(z);
  auto p = (__ubuf__ float *)x.t.GetPhyAddr();
  p[2] = 1.0f;
  SetFlag<HardEvent::S_V>(EVENT_ID0);
  WaitFlag<HardEvent::S_V>(EVENT_ID0);
  Adds(x.t, x.t, 1.0f, 64);
  x.store();
}
extern "C" __global__ __aicore__ void loaded(GM_ADDR z) {
  Tile x(z);
  auto p = (__ubuf__ float *)x.t.GetPhyAddr();
  float first = p[0];
  Adds(x.t, x.t, first, 64);
  x.store();
}
// What GetValue waits for is there for a pointer, too.
extern "C" __global__ __aicore__ void after_get_value(GM_ADDR z) {
  Tile x(z);
  auto p = (__ubuf__ float *)x.t.GetPhyAddr();
  p[1] = x.t.GetValue(0);
  SetFlag<HardEvent::S_V>(EVENT_ID0);
  WaitFlag<HardEvent::S_V>(EVENT_ID0);
  Adds(x.t, x.t, 1.0f, 64);
  x.store();
}
