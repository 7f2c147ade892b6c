#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;
using Ub = __ubuf__ float *;

__simd_vf__ inline void squares(Ub z, Ub x) {
  Reg::RegTensor<float> a, sum;
  Reg::MaskReg all = Reg::CreateMask<float>();
  Reg::LoadAlign(a, x);
  Reg::MulAddDst(sum, a, a, all); // site
  Reg::StoreAlign(z, sum, all);
}

extern "C" __global__ __aicore__ void squares_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, N * sizeof(float));
  pipe.InitBuffer(out, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopyPad(a, xGm, {1, uint32_t(N * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<squares>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
