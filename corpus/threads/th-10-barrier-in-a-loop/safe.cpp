#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 64;
using Gm = __gm__ int32_t *;
using Ub = __ubuf__ int32_t *;

__simt_vf__ inline void stepped(Gm z, Gm x, Ub part) {
  uint32_t t = threadIdx.x;
  part[t] = 0;
  for (int32_t i = 0; i < 16; ++i) {
    if (i < x[t])
      part[t] += i;
    asc_syncthreads();
  }
  z[t] = part[N - 1 - t];
}

extern "C" __global__ __aicore__ void step(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, N * sizeof(int32_t));
  asc_vf_call<stepped>(dim3(N), (Gm)z, (Gm)x,
                       (Ub)buf.Get<int32_t>().GetPhyAddr());
}
