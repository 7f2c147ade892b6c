#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LINE = 16;

extern "C" __global__ __aicore__ void count_all(GM_ADDR counts, GM_ADDR z) {
  int32_t me = GetBlockIdx();
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 64);
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  GlobalTensor<int32_t> countGm, zGm;
  countGm.SetGlobalBuffer((__gm__ int32_t *)counts);
  zGm.SetGlobalBuffer((__gm__ int32_t *)z);

  GlobalTensor<int32_t> mine = countGm[me * LINE];
  mine.SetValue(0, me + 1);
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                           DcciDst::CACHELINE_OUT>(
      mine); // without: stale-cache
  SyncAll(); // without: race-between-cores
  int32_t sum = 0;
  for (uint32_t i = 0; i < GetBlockNum(); ++i)
    sum += countGm.GetValue(i * LINE);
  Duplicate(t, sum, LINE);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0); // without: missing-sync
  DataCopy(zGm[me * LINE], t, LINE);
}
