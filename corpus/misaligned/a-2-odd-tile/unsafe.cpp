#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROOM = 512;
constexpr uint32_t TILE = 100;

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR z,
                                                uint32_t total) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, ROOM * sizeof(float));
  LocalTensor<float> t = buf.Get<float>();
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, total);
  zGm.SetGlobalBuffer((__gm__ float *)z, total);

  for (uint32_t at = 0; at < total; at += TILE) {
    uint32_t count = total - at < TILE ? total - at : TILE;
    DataCopy(t[at], xGm[at], count); // site
  }
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(t, t, 1.0f, total);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, total);
}
