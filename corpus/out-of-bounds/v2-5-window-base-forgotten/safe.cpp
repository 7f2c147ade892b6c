#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t BINS = 64;

extern "C" __global__ __aicore__ void window_count(GM_ADDR x, GM_ADDR z,
                                                   int32_t base) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> valueBuf, binBuf;
  pipe.InitBuffer(valueBuf, BINS * sizeof(int32_t));
  pipe.InitBuffer(binBuf, BINS * sizeof(int32_t));
  LocalTensor<int32_t> values = valueBuf.Get<int32_t>();
  LocalTensor<int32_t> bins = binBuf.Get<int32_t>();
  GlobalTensor<int32_t> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ int32_t *)x, BINS);
  zGm.SetGlobalBuffer((__gm__ int32_t *)z, BINS);

  DataCopy(values, xGm, BINS);
  Duplicate(bins, 0, BINS);
  SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  for (uint32_t i = 0; i < BINS; ++i) {
    int32_t bin = values.GetValue(i) - base;
    int32_t seen = bins.GetValue(bin);
    bins.SetValue(bin, seen + 1);
  }
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopy(zGm, bins, BINS);
}
