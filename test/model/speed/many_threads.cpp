// 1,024 threads that execute 1,000 instructions each, a number of times.
#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

using Gm = __gm__ float *;

__simt_vf__ inline void work(Gm z, Gm x) {
  float a = x[threadIdx.x];
  for (int i = 0; i < 500; ++i) {
    a = a * 0.5f;
    a = a + 1.0f;
  }
  z[threadIdx.x] = a;
}

extern "C" __global__ __aicore__ void threads(GM_ADDR x, GM_ADDR z,
                                              uint64_t times) {
  for (uint64_t i = 0; i < times; ++i)
    asc_vf_call<work>(dim3(1024), (Gm)z, (Gm)x);
}
