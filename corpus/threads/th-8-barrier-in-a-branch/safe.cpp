#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Gm = __gm__ float *;
using Ub = __ubuf__ float *;

__simt_vf__ inline void reversed(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  part[t] = x[t];
  asc_syncthreads();
  if (t < N / 2)
    z[t] = part[N - 1 - t];
}

extern "C" __global__ __aicore__ void reverse(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  asc_vf_call<reversed>(dim3(N), (Gm)z, (Gm)x,
                        (Ub)buf.Get<float>().GetPhyAddr());
}
