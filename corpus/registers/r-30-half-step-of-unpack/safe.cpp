#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Ub = __ubuf__ float *;

__simd_vf__ inline void widened(Ub z, Ub x) {
  static constexpr Reg::CastTrait up = {
      Reg::RegLayout::ZERO, Reg::SatMode::UNKNOWN, Reg::MaskMergeMode::ZEROING};
  constexpr Reg::LoadDist Unpack = Reg::LoadDist::DIST_UNPACK_B16;
  auto halves = (__ubuf__ half *)x;
  Reg::RegTensor<half> a;
  Reg::RegTensor<float> b;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < N / 64; ++i) {
    Reg::LoadAlign<half, Unpack>(a, halves + i * 64);
    Reg::Cast<float, half, up>(b, a, all);
    Reg::StoreAlign(z + i * 64, b, all);
  }
}

extern "C" __global__ __aicore__ void widened_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TBuf<> in, out;
  pipe.InitBuffer(in, 2 * N * sizeof(float));
  pipe.InitBuffer(out, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.Get<float>(), c = out.Get<float>();
  DataCopy(a, xGm, N / 2);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<widened>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
