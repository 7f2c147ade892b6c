// Both kinds of cores in one kernel: the vector cores double A, the cube core
// multiplies, the vector cores add 1 and clip at 0. One block of rows each.
#include "simple_product.h"

using namespace AscendC;

constexpr uint16_t ReadyA = 3, ReadyC = 4;

struct Job {
  uint32_t rows, n, k;
};

__aicore__ inline void elementwise(TPipe &pipe, GlobalTensor<::half> from,
                                   GlobalTensor<::half> to, uint32_t count) {
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, count * sizeof(::half));
  pipe.InitBuffer(out, 1, count * sizeof(::half));
  LocalTensor<::half> x = in.AllocTensor<::half>();
  DataCopy(x, from, count);
  in.EnQue(x);
  x = in.DeQue<::half>();
  LocalTensor<::half> y = out.AllocTensor<::half>();
  Muls(y, x, (::half)2, count);
  out.EnQue(y);
  in.FreeTensor(x);
  y = out.DeQue<::half>();
  DataCopy(to, y, count);
  out.FreeTensor(y);
}

__aicore__ inline void epilogue(TPipe &pipe, GlobalTensor<float> c,
                                uint32_t count) {
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, count * sizeof(float));
  pipe.InitBuffer(out, 1, count * sizeof(float));
  LocalTensor<float> x = in.AllocTensor<float>();
  DataCopy(x, c, count);
  in.EnQue(x);
  x = in.DeQue<float>();
  LocalTensor<float> y = out.AllocTensor<float>();
  Adds(y, x, 1.0f, count);
  PipeBarrier<PIPE_V>();
  Relu(y, y, count);
  out.EnQue(y);
  in.FreeTensor(x);
  y = out.DeQue<float>();
  DataCopy(c, y, count);
  out.FreeTensor(y);
}

__aicore__ inline void fused(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR scratch,
                             uint32_t rows, uint32_t n, uint32_t k) {
  TPipe pipe;
  if ASCEND_IS_AIV {
    uint32_t parts = GetSubBlockNum();
    uint32_t mine = rows / parts;
    uint32_t row = GetBlockIdx() * mine;
    GlobalTensor<::half> aGm, scaled;
    GlobalTensor<float> cGm;
    aGm.SetGlobalBuffer((__gm__ ::half *)a + row * k);
    scaled.SetGlobalBuffer((__gm__ ::half *)scratch + row * k);
    cGm.SetGlobalBuffer((__gm__ float *)c + row * n);
    elementwise(pipe, aGm, scaled, mine * k);
    CrossCoreSetFlag<2, PIPE_MTE3>(ReadyA);
    CrossCoreWaitFlag<2, PIPE_MTE2>(ReadyC);
    epilogue(pipe, cGm, mine * n);
  }
  if ASCEND_IS_AIC {
    CrossCoreWaitFlag<2, PIPE_MTE2>(ReadyA);
    GlobalTensor<float> cGm;
    uint32_t row = GetBlockIdx() * rows;
    cGm.SetGlobalBuffer((__gm__ float *)c + row * n);
    SimpleProduct<::half, float> product;
    LocalTensor<float> acc =
        product.run(pipe, scratch + row * k * sizeof(::half), b, rows, n, k);
    Fixpipe(cGm, acc, FixpipeParamsV220(n, rows, up(rows, 16), n, false));
    CrossCoreSetFlag<2, PIPE_FIX>(ReadyC);
  }
}

// 950: both vector cores bring A, in fractals already, from their UB into the
// cube core's L1; at is where GetPhyAddr says that it lies.
#if __NPU_ARCH__ == 3510
__global__ __aicore__ void from_ub(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  constexpr uint32_t size = 32, half0 = size * size / 2;
  LocalTensor<::half> left(TPosition::A1, 0, size * size);
  if ASCEND_IS_AIV {
    GlobalTensor<::half> aGm;
    aGm.SetGlobalBuffer((__gm__ ::half *)a);
    LocalTensor<::half> ub(TPosition::VECIN, 64, half0);
    uint64_t at = ub.GetPhyAddr();
    uint32_t mine = GetSubBlockIdx() * half0;
    DataCopy(ub, aGm[mine], half0);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    for (uint32_t i = 0; i < 2; ++i) {
      LocalTensor<::half> part(TPosition::VECIN, at + i * half0, half0 / 2);
      DataCopy(left[mine + i * half0 / 2], part, half0 / 2);
    }
    CrossCoreSetFlag<2, PIPE_MTE3>(ReadyA);
  }
  if ASCEND_IS_AIC {
    LocalTensor<::half> right(TPosition::B1, 8192, size * size);
    LocalTensor<::half> l0a(TPosition::A2, 0, size * size);
    LocalTensor<::half> l0b(TPosition::B2, 0, size * size);
    LocalTensor<float> acc(TPosition::CO1, 0, size * size);
    GlobalTensor<::half> bGm;
    bGm.SetGlobalBuffer((__gm__ ::half *)b);
    DataCopy(right, bGm, Nd2NzParams(1, size, size, 0, size, size, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    CrossCoreWaitFlag<2, PIPE_MTE1>(ReadyA);
    LoadData(l0a, left, LoadData2DParamsV2(0, 0, 2, 2, 2, 2, false, 0));
    LoadData(l0b, right, LoadData2DParamsV2(0, 0, 2, 2, 2, 2, false, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    MmadParams p;
    p.m = p.n = p.k = size;
    Mmad(acc, l0a, l0b, p);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    GlobalTensor<float> cGm;
    cGm.SetGlobalBuffer((__gm__ float *)c);
    Fixpipe(cGm, acc, FixpipeParamsV220(size, size, size, size, false));
  }
}
#endif

// The cores from what the kernel says, from what it needs, or one vector core.
__global__ __aicore__ void fused_said(GM_ADDR a, GM_ADDR b, GM_ADDR scratch,
                                      GM_ADDR c, uint32_t rows, uint32_t n,
                                      uint32_t k) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  fused(a, b, c, scratch, rows, n, k);
}
__global__ __aicore__ void fused_inferred(GM_ADDR a, GM_ADDR b, GM_ADDR scratch,
                                          GM_ADDR c, uint32_t rows, uint32_t n,
                                          uint32_t k) {
  fused(a, b, c, scratch, rows, n, k);
}
