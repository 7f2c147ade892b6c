#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Ub = __ubuf__ float *;

__simd_vf__ inline void rows(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::UnalignRegForStore held;
  for (uint16_t r = 0; r < 4; ++r) {
    Ub to = z + r * 64;
    Reg::LoadAlign(a, x + r * 64);
    Reg::StoreUnAlign(to, a, held, 60); // site
  }
  Ub to = z + 3 * 64 + 60;
  Reg::StoreUnAlignPost(to, held, 0);
}

extern "C" __global__ __aicore__ void rows_all(GM_ADDR x, GM_ADDR z) {
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
  Duplicate(c, 7.0f, N);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  asc_vf_call<rows>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopyPad(zGm, c, {1, uint32_t(N * sizeof(float)), 0, 0, 0});
}
