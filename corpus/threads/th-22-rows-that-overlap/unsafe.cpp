#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t X = 16, Y = 8;
using Gm = __gm__ float *;

__simt_vf__ inline void copied(Gm z, Gm x) {
  uint32_t i = threadIdx.y * Y + threadIdx.x;
  z[i] = x[i]; // site
}

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR z) {
  asc_vf_call<copied>(dim3(X, Y), (Gm)z, (Gm)x);
}
