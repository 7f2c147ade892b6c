#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;
using Ub = __ubuf__ float *;

__aicore__ inline void scaled(Ub z, Ub x) {
  Reg::RegTensor<float> two;
  Reg::MaskReg all;
  __VEC_SCOPE__ { Reg::Duplicate(two, 2.0f); }
  __VEC_SCOPE__ {
    Reg::RegTensor<float> a;
    all = Reg::CreateMask<float>();
    Reg::LoadAlign(a, x);
    Reg::Mul(a, a, two, all); // site
    Reg::StoreAlign(z, a, all);
  }
}

extern "C" __global__ __aicore__ void scaled_all(GM_ADDR x, GM_ADDR z) {
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
  scaled((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
