#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 40;
using Ub = __ubuf__ float *;

__simd_vf__ inline void positive(Ub z, Ub x) {
  Reg::RegTensor<float> a, zero;
  uint32_t n = N;
  Reg::MaskReg mask = Reg::UpdateMask<float>(n), all = Reg::CreateMask<float>(),
               larger;
  Reg::Duplicate(zero, 0.0f);
  Reg::LoadAlign(a, x);
  Reg::Compares<float, CMPMODE::GT>(larger, a, 0.0f, mask);
  Reg::Select(a, a, zero, larger);
  Reg::StoreAlign(z, a, mask);
}

extern "C" __global__ __aicore__ void positive_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, 256);
  pipe.InitBuffer(out, 256);
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopyPad(a, xGm, {1, uint32_t(N * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<positive>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
