// Leaves A x B in L0C: A is [m][k], B is [n][k], both whole in L1 and L0.
#pragma once
#include "kernel_operator.h"

__aicore__ inline uint32_t up(uint32_t a, uint32_t b) {
  return (a + b - 1) / b * b;
}

template <typename T, typename Acc> class SimpleProduct {
  static constexpr uint32_t C0 = 32 / sizeof(T);
  static constexpr uint32_t Fractal = 16 * C0;

public:
  __aicore__ inline AscendC::LocalTensor<Acc>
  run(AscendC::TPipe &pipe, GM_ADDR a, GM_ADDR b, uint32_t m, uint32_t n,
      uint32_t k, uint8_t unitFlag = 0) {
    using namespace AscendC;
    uint32_t mUp = up(m, 16), nUp = up(n, 16), kUp = up(k, C0);
    pipe.InitBuffer(a1, mUp * kUp * sizeof(T));
    pipe.InitBuffer(b1, nUp * kUp * sizeof(T));
    pipe.InitBuffer(a2, mUp * kUp * sizeof(T));
    pipe.InitBuffer(b2, nUp * kUp * sizeof(T));
    pipe.InitBuffer(co1, mUp * nUp * sizeof(Acc));
    LocalTensor<T> left = a1.template Get<T>(), right = b1.template Get<T>();
    bring(left, a, m, k);
    bring(right, b, n, k);
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    LocalTensor<T> l0a = a2.template Get<T>(), l0b = b2.template Get<T>();
    uint32_t k1 = kUp / C0, m1 = mUp / 16, n1 = nUp / 16;
#if __NPU_ARCH__ == 3510
    LoadData(l0a, left, LoadData2DParamsV2(0, 0, m1, k1, m1, m1, false, 0));
    LoadData(l0b, right, LoadData2DParamsV2(0, 0, n1, k1, n1, n1, false, 0));
#else
    for (uint32_t i = 0; i < m1; ++i)
      LoadData(l0a[i * k1 * Fractal], left[i * Fractal],
               LoadData2DParams(0, k1, m1, 0, 0, false, 0));
    LoadData(l0b, right, LoadData2DParams(0, k1 * n1, 1, 0, 0, false, 0));
#endif
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    LocalTensor<Acc> c = co1.template Get<Acc>();
    MmadParams p;
    p.m = m;
    p.n = n;
    p.k = k;
    p.unitFlag = unitFlag;
    Mmad(c, l0a, l0b, p);
    if (!unitFlag && __NPU_ARCH__ != 2002) {
      SetFlag<HardEvent::M_FIX>(0);
      WaitFlag<HardEvent::M_FIX>(0);
    }
    return c;
  }

private:
  __aicore__ inline void bring(const AscendC::LocalTensor<T> &dst, GM_ADDR src,
                               uint32_t rows, uint32_t columns) {
    AscendC::GlobalTensor<T> gm;
    gm.SetGlobalBuffer((__gm__ T *)src);
    AscendC::DataCopy(
        dst, gm,
        AscendC::Nd2NzParams(1, rows, columns, 0, columns, up(rows, 16), 1, 0));
  }

  AscendC::TBuf<AscendC::TPosition::A1> a1;
  AscendC::TBuf<AscendC::TPosition::B1> b1;
  AscendC::TBuf<AscendC::TPosition::A2> a2;
  AscendC::TBuf<AscendC::TPosition::B2> b2;
  AscendC::TBuf<AscendC::TPosition::CO1> co1;
};
