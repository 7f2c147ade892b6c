#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Gm = __gm__ float *;
using Ub = __ubuf__ float *;

__simt_vf__ inline void reversed(Ub z, Ub x) {
  uint32_t t = threadIdx.x;
  z[t] = x[N - 1 - t]; // other
}

extern "C" __global__ __aicore__ void reverse(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, N * sizeof(float));
  pipe.InitBuffer(out, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((Gm)x, N);
  zGm.SetGlobalBuffer((Gm)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopy(a, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<reversed>(dim3(N), (Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  DataCopy(zGm, c, N); // site
}
