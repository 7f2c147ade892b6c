#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 128;
using Ub = __ubuf__ float *;

__simd_vf__ inline void kept(Ub z, Ub x) {
  Reg::RegTensor<float> a, b;
  Reg::UnalignRegForStore held;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < N / 64; ++i) {
    Reg::LoadAlign(a, x + i * 64);
    Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(b, a, all);
    Reg::StoreUnAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(z, b, held);
  }
  Reg::StoreUnAlignPost(z, held);
}

extern "C" __global__ __aicore__ void kept_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, 2 * N * sizeof(float));
  pipe.InitBuffer(out, 2 * N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopyPad(a, xGm, {1, uint32_t(N * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<kept>((Ub)a.GetPhyAddr() + N, (Ub)a.GetPhyAddr());
  asc_vf_call<kept>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0}); // site
}
