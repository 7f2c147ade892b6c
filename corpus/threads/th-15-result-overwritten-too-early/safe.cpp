#include "kernel_operator.h"
#include "simt_api/asc_simt.h"
using namespace AscendC;

constexpr uint32_t N = 256, Tiles = 4;
using Gm = __gm__ float *;
using Ub = __ubuf__ float *;

__simt_vf__ inline void gathered(Ub z, Gm x) {
  uint32_t t = threadIdx.x;
  z[t] = x[N - 1 - t];
}

extern "C" __global__ __aicore__ void gather(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> out;
  pipe.InitBuffer(out, N * sizeof(float));
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((Gm)z, Tiles * N);
  LocalTensor<float> c = out.Get<float>();
  for (uint32_t i = 0; i < Tiles; ++i) {
    if (i > 0)
      WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    asc_vf_call<gathered>(dim3(N), (Ub)c.GetPhyAddr(), (Gm)x + i * N);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(zGm[i * N], c, N);
    if (i + 1 < Tiles)
      SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
  }
}
