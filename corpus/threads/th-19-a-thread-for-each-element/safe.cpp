#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

using Gm = __gm__ float *;

__simt_vf__ __launch_bounds__(2048) inline void doubled(Gm z, Gm x,
                                                        uint32_t n) {
  for (uint32_t i = threadIdx.x; i < n; i += blockDim.x)
    z[i] = 2 * x[i];
}

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z) {
  constexpr uint32_t n = 4096;
  asc_vf_call<doubled>(dim3(2048), (Gm)z, (Gm)x, n);
}
