#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256, Bins = 16;
using Gm = __gm__ int32_t *;
using Ub = __ubuf__ int32_t *;

__simt_vf__ inline void counted(Gm z, Gm x, Ub bins) {
  uint32_t t = threadIdx.x;
  if (t < Bins)
    bins[t] = 0;
  asc_syncthreads();
  asc_atomic_add(bins + x[t], 1);
  asc_syncthreads();
  if (t < Bins)
    z[t] = bins[t];
}

extern "C" __global__ __aicore__ void count(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, Bins * sizeof(int32_t));
  asc_vf_call<counted>(dim3(N), (Gm)z, (Gm)x,
                       (Ub)buf.Get<int32_t>().GetPhyAddr());
}
