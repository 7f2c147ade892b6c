// Products of int4b_t: two elements share a byte, so 64 of them are a block. A
// is [m][k]; B is [n][k], or [k][n] and transposed in squares of 64.
#include "simple_product.h"

using namespace AscendC;

__global__ __aicore__ void product_int4(GM_ADDR a, GM_ADDR b, GM_ADDR c,
                                        uint32_t m, uint32_t n, uint32_t k,
                                        uint32_t turned) {
  TPipe pipe;
  constexpr uint32_t C0 = 64, Fractal = 16 * C0;
  TBuf<TPosition::A1> a1;
  TBuf<TPosition::B1> b1;
  TBuf<TPosition::A2> a2;
  TBuf<TPosition::B2> b2;
  TBuf<TPosition::CO1> co1;
  uint32_t mUp = up(m, 16), nUp = up(n, turned ? 64 : 16), kUp = up(k, C0);
  pipe.InitBuffer(a1, mUp * kUp / 2);
  pipe.InitBuffer(b1, nUp * kUp / 2);
  pipe.InitBuffer(a2, mUp * kUp / 2);
  pipe.InitBuffer(b2, nUp * kUp / 2);
  pipe.InitBuffer(co1, mUp * nUp * 4);
  // The copy to NZ works on bytes.
  GlobalTensor<int8_t> aGm, bGm;
  GlobalTensor<int32_t> cGm;
  aGm.SetGlobalBuffer((__gm__ int8_t *)a);
  bGm.SetGlobalBuffer((__gm__ int8_t *)b);
  cGm.SetGlobalBuffer((__gm__ int32_t *)c);
  DataCopy(a1.Get<int8_t>(), aGm,
           Nd2NzParams(1, m, k / 2, 0, k / 2, mUp, 1, 0));
  if (turned)
    DataCopy(b1.Get<int8_t>(), bGm,
             Nd2NzParams(1, k, n / 2, 0, n / 2, kUp, 1, 0));
  else
    DataCopy(b1.Get<int8_t>(), bGm,
             Nd2NzParams(1, n, k / 2, 0, k / 2, nUp, 1, 0));
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LocalTensor<int4b_t> left = a1.Get<int4b_t>(), right = b1.Get<int4b_t>(),
                       l0a = a2.Get<int4b_t>(), l0b = b2.Get<int4b_t>();
  uint32_t m1 = mUp / 16, k1 = kUp / C0;
  for (uint32_t i = 0; i < m1; ++i)
    LoadData(l0a[i * k1 * Fractal], left[i * Fractal],
             LoadData2DParams(0, k1, m1, 0, 0, false, 0));
  if (turned)
    for (uint32_t q = 0; q < k1; ++q)
      LoadDataWithTranspose(l0b[q * nUp * C0], right[q * 4 * Fractal],
                            LoadData2dTransposeParams(0, nUp / 64, k1, 3, 0));
  else
    LoadData(l0b, right, LoadData2DParams(0, k1 * nUp / 16, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  LocalTensor<int32_t> acc = co1.Get<int32_t>();
  Mmad(acc, l0a, l0b, MmadParams(m, turned ? nUp : n, k, 0, false, true));
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  Fixpipe(cGm, acc, FixpipeParamsV220(n, m, mUp, n, false));
}
