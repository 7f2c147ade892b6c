#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Ub = __ubuf__ float *;

__simd_vf__ inline void increment(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < N / 64; ++i) {
    Reg::LoadAlign(a, x + i * 64); // site
    Reg::Adds(a, a, 1.0f, all);
    Reg::StoreAlign(z + i * 64, a, all);
  }
}

extern "C" __global__ __aicore__ void increment_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, N * sizeof(float));
  pipe.InitBuffer(out, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopy(a, xGm, N); // other
  asc_vf_call<increment>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
