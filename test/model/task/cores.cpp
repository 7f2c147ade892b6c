// A mixed kernel whose header has code for one kind of core or the other.
#include "kernel_operator.h"

#include "cores.h"
using namespace AscendC;

// The words of a cube core, then those of its two vector cores.
extern "C" __global__ __aicore__ void compiled_for(GM_ADDR seen, bool fail) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t *)seen, 24);
#ifdef __DAV_C220_CUBE__
  uint32_t at = 0;
  gm.SetValue(at, OnlyOnCubes());
  if (fail)
    gm.SetValue(99, 1); // a cube core failed here
#else
  uint32_t at = 8 + 8 * GetSubBlockIdx();
  gm.SetValue(at, OnlyOnVectors());
#endif
  gm.SetValue(at + 1, COMPILED_FOR);
  if constexpr (g_coreType == AIC)
    gm.SetValue(at + 2, 1);
  else
    gm.SetValue(at + 2, 2);
}
