#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
using Ub = __ubuf__ float *;

__simd_vf__ inline void increment(Ub z, Ub x) {
  Reg::RegTensor<float> a;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < N / 64; ++i) {
    Reg::LoadAlign(a, x + i * 64);
    Reg::Adds(a, a, 1.0f, all);
    Reg::StoreAlign(z + i * 64, a, all);
  }
}

extern "C" __global__ __aicore__ void increment_all(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, N * sizeof(float));
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> xGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, N);
  zGm.SetGlobalBuffer((__gm__ float *)z, N);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm, N);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> c = out.AllocTensor<float>();
  asc_vf_call<increment>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr());
  in.FreeTensor(a);
  out.EnQue(c);
  c = out.DeQue<float>();
  DataCopy(zGm, c, N);
  out.FreeTensor(c);
}
