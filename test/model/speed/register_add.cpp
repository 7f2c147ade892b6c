// A sum of two tensors over registers of the 950, in tiles of 32 KiB.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 8192;
using Ub = __ubuf__ float *;

__simd_vf__ inline void sum(Ub z, Ub x, Ub y) {
  Reg::RegTensor<float> a, b;
  Reg::MaskReg all = Reg::CreateMask<float>();
  for (uint16_t i = 0; i < N / 64; ++i) {
    Reg::LoadAlign(a, x + i * 64);
    Reg::LoadAlign(b, y + i * 64);
    Reg::Add(a, a, b, all);
    Reg::StoreAlign(z + i * 64, a, all);
  }
}

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                          uint64_t n) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> xs, ys;
  TQue<TPosition::VECOUT, 2> zs;
  pipe.InitBuffer(xs, 2, N * sizeof(float));
  pipe.InitBuffer(ys, 2, N * sizeof(float));
  pipe.InitBuffer(zs, 2, N * sizeof(float));
  uint64_t each = n / GetBlockNum(), base = each * GetBlockIdx();
  GlobalTensor<float> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + base, each);
  yGm.SetGlobalBuffer((__gm__ float *)y + base, each);
  zGm.SetGlobalBuffer((__gm__ float *)z + base, each);
  for (uint64_t at = 0; at < each; at += N) {
    auto a = xs.AllocTensor<float>(), b = ys.AllocTensor<float>();
    DataCopy(a, xGm[at], N);
    DataCopy(b, yGm[at], N);
    xs.EnQue(a);
    ys.EnQue(b);
    a = xs.DeQue<float>();
    b = ys.DeQue<float>();
    auto c = zs.AllocTensor<float>();
    asc_vf_call<sum>((Ub)c.GetPhyAddr(), (Ub)a.GetPhyAddr(),
                     (Ub)b.GetPhyAddr());
    zs.EnQue(c);
    xs.FreeTensor(a);
    ys.FreeTensor(b);
    c = zs.DeQue<float>();
    DataCopy(zGm[at], c, N);
    zs.FreeTensor(c);
  }
}
