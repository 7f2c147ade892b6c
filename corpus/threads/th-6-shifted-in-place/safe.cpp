#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Gm = __gm__ float *;
using Ub = __ubuf__ float *;

__simt_vf__ inline void shifted(Gm z) {
  uint32_t t = threadIdx.x;
  float next = z[t + 1];
  asc_syncthreads();
  z[t] = next;
}

extern "C" __global__ __aicore__ void shift(GM_ADDR z) {
  asc_vf_call<shifted>(dim3(N - 1), (Gm)z);
}
