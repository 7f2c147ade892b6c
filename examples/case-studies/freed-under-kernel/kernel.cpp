// z = x + 1, element by element.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR z) {
  AscendC::GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 8);
  zGm.SetGlobalBuffer((__gm__ float *)z, 8);
  for (uint32_t i = 0; i < 8; ++i)
    zGm.SetValue(i, xGm.GetValue(i) + 1.0f);
}
