#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 40;
using Ub = __ubuf__ float *;

__simd_vf__ inline void increment(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  uint32_t n = N;
  Reg::MaskReg mask = Reg::UpdateMask<float>(n);
  Reg::LoadAlign(a, x);
  Reg::Adds(a, a, 1.0f, mask);
  Reg::StoreAlign(z, a, mask);
}

extern "C" __global__ __aicore__ void increment_two(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> first, second, out;
  pipe.InitBuffer(first, N * sizeof(float));
  pipe.InitBuffer(second, N * sizeof(float));
  pipe.InitBuffer(out, 2 * N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 2 * N);
  zGm.SetGlobalBuffer((__gm__ float *)z, 2 * N);
  LocalTensor<float> a = first.Get<float>(), b = second.Get<float>();
  LocalTensor<float> c = out.Get<float>();
  DataCopy(a, xGm, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  DataCopy(b, xGm[N], N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<increment>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
  asc_vf_call<increment>((Ub)c[N].GetPhyAddr(), (Ub)b.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(zGm, c, 2 * N);
}
