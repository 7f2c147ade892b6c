// One kernel, with the number that the command line defines.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void store(GM_ADDR z) {
  AscendC::GlobalTensor<int32_t> gz;
  gz.SetGlobalBuffer((__gm__ int32_t *)z, 8);
  gz.SetValue(0, NUMBER);
  AscendC::DataCacheCleanAndInvalid<int32_t,
                                    AscendC::CacheLine::SINGLE_CACHE_LINE,
                                    AscendC::DcciDst::CACHELINE_OUT>(gz);
}
