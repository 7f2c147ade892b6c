#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

__simt_vf__ inline void summed(__gm__ float *z, __gm__ uint32_t *ticket,
                               __gm__ float *parts, __gm__ float *x,
                               __ubuf__ float *local) {
  uint32_t t = threadIdx.x;
  local[t] = x[blockIdx.x * 64 + t];
  asc_syncthreads();
  if (t != 0)
    return;
  float sum = 0;
  for (uint32_t i = 0; i < 64; ++i)
    sum += local[i];
  parts[blockIdx.x] = sum;
  asc_threadfence();
  if (asc_atomic_add(ticket, 1u) != gridDim.x - 1)
    return;
  sum = 0;
  for (uint32_t i = 0; i < gridDim.x; ++i)
    sum += parts[i];
  z[0] = sum;
}

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR parts,
                                          GM_ADDR ticket, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  asc_vf_call<summed>(dim3(64), (__gm__ float *)z, (__gm__ uint32_t *)ticket,
                      (__gm__ float *)parts, (__gm__ float *)x,
                      (__ubuf__ float *)buf.Get<float>().GetPhyAddr());
}
