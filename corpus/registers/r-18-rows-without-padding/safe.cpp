#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 400;
using Ub = __ubuf__ float *;

__simd_vf__ inline void rows(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  for (uint16_t r = 0; r < N / 100; ++r) {
    uint32_t n = 100;
    for (uint16_t i = 0; i < 2; ++i) {
      Reg::MaskReg mask = Reg::UpdateMask<float>(n);
      Reg::Load(a, x + r * 100 + i * 64);
      Reg::Muls(a, a, 2.0f, mask);
      uint32_t left = i ? 36 : 64;
      Reg::Store(z + r * 100 + i * 64, a, left);
    }
  }
}

extern "C" __global__ __aicore__ void rows_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, 2048);
  pipe.InitBuffer(out, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopyPad(a, xGm, {1, uint32_t(N * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<rows>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
