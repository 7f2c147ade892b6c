#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Gm = __gm__ float *;
using Ub = __ubuf__ float *;

__simt_vf__ inline void summed(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  part[t] = x[t];
  asc_syncthreads();
  for (uint32_t n = N / 2; n > 0; n /= 2) {
    if (t < n)
      part[t] += part[t + n];
    asc_syncthreads();
  }
  z[t] = part[0];
}

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  asc_vf_call<summed>(dim3(N), (Gm)z, (Gm)x, (Ub)buf.Get<float>().GetPhyAddr());
}
