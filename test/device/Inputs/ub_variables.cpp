// An array in the unified buffer, on parts without threads as well.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void reverse(GM_ADDR x, GM_ADDR z) {
  __ubuf__ float t[64], more[8];
  more[0] = 1;
  for (int i = 0; i < 64; ++i)
    t[i] = ((__gm__ float *)x)[i];
  for (int i = 0; i < 64; ++i)
    ((__gm__ float *)z)[i] = t[63 - i] + more[0];
}
