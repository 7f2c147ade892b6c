#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 40;
using Ub = __ubuf__ float *;

__simd_vf__ inline void picked(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::RegTensor<uint32_t> at;
  uint32_t n = N;
  Reg::MaskReg all = Reg::CreateMask<float>(), mask = Reg::UpdateMask<float>(n);
  Reg::LoadAlign(at, (__ubuf__ uint32_t *)x); // other
  Reg::MaskReg some;
  Reg::RegTensor<uint32_t> three;
  Reg::Duplicate(three, 3u);
  Reg::And(at, at, three, all);
  Reg::Gather(a, x, at, all); // site
  Reg::StoreAlign(z, a, mask);
}

extern "C" __global__ __aicore__ void picked_all(GM_ADDR x, GM_ADDR z) {
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
  asc_vf_call<picked>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
