#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Gm = __gm__ float *;
using Ub = __ubuf__ float *;

__simt_vf__ inline void largest(__gm__ int32_t *z, __gm__ int32_t *x) {
  asc_atomic_max(z, x[threadIdx.x]);
}

extern "C" __global__ __aicore__ void find(GM_ADDR x, GM_ADDR z) {
  asc_vf_call<largest>(dim3(N), (__gm__ int32_t *)z, (__gm__ int32_t *)x);
}
