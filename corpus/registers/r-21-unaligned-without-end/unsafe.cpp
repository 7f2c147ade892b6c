#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 100;
using Ub = __ubuf__ float *;

__simd_vf__ inline void copied(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::UnalignRegForStore held;
  for (uint16_t i = 0; i < 2; ++i) {
    Reg::LoadAlign(a, x + i * 64);
    Reg::StoreUnAlign(z, a, held, 50); // site
  }
}

extern "C" __global__ __aicore__ void copied_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, 512);
  pipe.InitBuffer(out, 512);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  xGm.SetGlobalBuffer((__gm__ float *)x, 128);
  DataCopy(a, xGm, 128);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<copied>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
