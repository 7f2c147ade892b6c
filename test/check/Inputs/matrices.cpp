// Instructions of the cube core, whose extents the launch decides.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t MORE_K, uint32_t MORE_N> struct Product {
  TPipe pipe;
  TBuf<TPosition::A1> a1;
  TBuf<TPosition::B1> b1;
  TBuf<TPosition::A2> a2;
  TBuf<TPosition::B2> b2;
  TBuf<TPosition::CO1> co1;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  __aicore__ inline void run(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m,
                             uint32_t k, uint32_t n) {
    aGm.SetGlobalBuffer((__gm__ half *)a, m * k);
    bGm.SetGlobalBuffer((__gm__ half *)b, k * n);
    cGm.SetGlobalBuffer((__gm__ float *)c, m * n);
    pipe.InitBuffer(a1, 128 * 128 * sizeof(half));
    pipe.InitBuffer(b1, 128 * 128 * sizeof(half));
    pipe.InitBuffer(a2, 128 * 128 * sizeof(half));
    pipe.InitBuffer(b2, 128 * 128 * sizeof(half));
    pipe.InitBuffer(co1, 128 * 128 * sizeof(float));
    LocalTensor<half> la1 = a1.Get<half>(), lb1 = b1.Get<half>(),
                      la2 = a2.Get<half>(), lb2 = b2.Get<half>();
    LocalTensor<float> lc = co1.Get<float>();
    DataCopy(la1, aGm, Nd2NzParams(1, m, k, 0, k, m, 1, 0));
    DataCopy(lb1, bGm, Nd2NzParams(1, k, n + MORE_N, 0, n, k, 1, 0));
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = 0; i < m / 16; ++i) {
      LoadData2DParams p;
      p.repeatTimes = k / 16 + MORE_K;
      p.srcStride = m / 16;
      LoadData(la2[i * 16 * k], la1[i * 256], p);
    }
    for (uint32_t i = 0; i < k / 16; ++i) {
      LoadData2DParams p;
      p.repeatTimes = n / 16;
      p.srcStride = k / 16;
      p.ifTranspose = true;
      LoadData(lb2[i * 16 * n], lb1[i * 256], p);
    }
    PipeBarrier<PIPE_ALL>();
    MmadParams p;
    p.m = m;
    p.n = n;
    p.k = k;
    Mmad(lc, la2, lb2, p);
    PipeBarrier<PIPE_ALL>();
    FixpipeParamsV220 f;
    f.nSize = n;
    f.mSize = m;
    f.srcStride = m;
    f.dstStride = n;
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm, lc, f);
    PipeBarrier<PIPE_ALL>();
  }
};

// 64 by 64 by 64.
extern "C" __global__ __aicore__ void constant(GM_ADDR a, GM_ADDR b,
                                               GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Product<0, 0> p;
  p.run(a, b, c, 64, 64, 64);
}

// One column more than b has.
extern "C" __global__ __aicore__ void wide(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Product<0, 1> p;
  p.run(a, b, c, 64, 64, 64);
}

// A fractal more than a has.
extern "C" __global__ __aicore__ void deep(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Product<1, 0> p;
  p.run(a, b, c, 128, 128, 128);
}

// As large as the launch says, up to what fits.
extern "C" __global__ __aicore__ void
any_size(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t k, uint32_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  // belay: assume m % 16 == 0 && k % 16 == 0 && n % 16 == 0
  // belay: assume 16 <= m && m <= 128 && 16 <= k && k <= 128
  // belay: assume 16 <= n && n <= 128
  Product<0, 0> p;
  p.run(a, b, c, m, k, n);
}
