#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 1000;
using Gm = __gm__ float *;

__simt_vf__ __launch_bounds__(1024) inline void doubled(Gm z, Gm x) {
  uint32_t i = threadIdx.x;
  z[i] = 2 * x[i]; // site
}

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
  asc_vf_call<doubled>(dim3(1024), (Gm)z, (Gm)x);
}
