#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 40;
using Gm = __gm__ float *;

__simt_vf__ inline void summed(Gm z, Gm x) {
  uint32_t t = threadIdx.x;
  float mine = x[t];
  for (uint32_t n = 16; n > 0; n /= 2)
    mine += asc_shfl_xor(mine, n); // site
  if (t < N)
    z[t] = mine;
}

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR z) {
  asc_vf_call<summed>(dim3(N), (Gm)z, (Gm)x);
}
