#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Gm = __gm__ int32_t *;
using Ub = __ubuf__ int32_t *;

__simt_vf__ inline void counted(Gm z, Gm x, Ub count) {
  uint32_t t = threadIdx.x;
  if (t == 0)
    count[0] = 0;
  asc_syncthreads();
  if (x[t] > 7)
    asc_atomic_add(count, 1); // site
  if (t == 0)
    z[0] = count[0]; // other
}

extern "C" __global__ __aicore__ void count(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  asc_vf_call<counted>(dim3(N), (Gm)z, (Gm)x,
                       (Ub)buf.Get<int32_t>().GetPhyAddr());
}
