#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Ub = __ubuf__ float *;

__simd_vf__ inline void update(Ub x) {
  Reg::RegTensor<float> a;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < N / 64; ++i) {
    Reg::LoadAlign(a, x + i * 64);
    Reg::Adds(a, a, 1.0f, all);
    Reg::StoreAlign(x + i * 64, a, all);
    Reg::LoadAlign(a, x + i * 64);
    Reg::Muls(a, a, 2.0f, all);
    Reg::StoreAlign(x + i * 64, a, all);
  }
}

extern "C" __global__ __aicore__ void update_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> t = buf.Get<float>();
  DataCopy(t, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<update>((Ub)t.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, t, N);
}
