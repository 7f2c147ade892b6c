#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

// The first core says with what the second one fills the output.
extern "C" __global__ __aicore__ void fill(GM_ADDR message, GM_ADDR z) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, N * sizeof(int32_t));
  LocalTensor<int32_t> t = buf.Get<int32_t>();
  GlobalTensor<int32_t> messageGm, zGm;
  messageGm.SetGlobalBuffer((__gm__ int32_t *)message, 16);
  zGm.SetGlobalBuffer((__gm__ int32_t *)z, N);

  if (GetBlockIdx() == 0) {
    messageGm.SetValue(0, 42);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                             DcciDst::CACHELINE_OUT>(messageGm);
  }
  SyncAll();
  if (GetBlockIdx() == 1) {
    int32_t value = messageGm.GetValue(0);
    Duplicate(t, value, N);
    PipeBarrier<PIPE_ALL>();
    DataCopy(zGm, t, N);
  }
}
