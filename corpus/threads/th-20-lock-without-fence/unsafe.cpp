#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 64;

__simt_vf__ inline void added(__gm__ float *sum, __gm__ float *x,
                              __gm__ uint32_t *lock) {
  float mine = x[threadIdx.x];
  while (asc_atomic_cas(lock, 0u, 1u) != 0u) {
  }
  sum[0] += mine; // site
  asc_atomic_exch(lock, 0u);
}

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR sum,
                                          GM_ADDR lock) {
  asc_vf_call<added>(dim3(N), (__gm__ float *)sum, (__gm__ float *)x,
                     (__gm__ uint32_t *)lock);
}
