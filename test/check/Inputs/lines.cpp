#include "kernel_operator.h"
using namespace AscendC;

#define CLEAN                                                                  \
  DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE,                \
                           DcciDst::CACHELINE_OUT>(out);
#define OUT                                                                    \
  GlobalTensor<float> out;                                                     \
  out.SetGlobalBuffer((__gm__ float *)y);                                      \
  uint32_t b = GetBlockIdx();

// The last block of the one way and the first of the other have a line in
// common.
extern "C" __global__ __aicore__ void of_the_next(GM_ADDR y, uint32_t more) {
  OUT if (b < more) out.SetValue(b * 32 + 32, 1.0f);
  else out.SetValue(b * 32 + 8, 1.0f);
  CLEAN
}

extern "C" __global__ __aicore__ void of_their_own(GM_ADDR y, uint32_t more) {
  OUT if (b < more) out.SetValue(b * 32, 1.0f);
  else out.SetValue(b * 32 + 8, 1.0f);
  CLEAN
}

// One stores by the scalar unit, the other copies: the line takes the copy with
// it.
extern "C" __global__ __aicore__ void with_a_copy(GM_ADDR y, uint32_t more) {
  OUT TPipe pipe;
  TBuf<TPosition::VECCALC> buf;
  pipe.InitBuffer(buf, 32);
  LocalTensor<float> t = buf.Get<float>();
  if (b < more) {
    out.SetValue(b * 32 + 32, 1.0f);
    CLEAN
  } else {
    Duplicate(t, 1.0f, 8);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(out[b * 32 + 8], t, 8);
  }
}
