// The Matmul object: batches, operands in UB and L1, results in L0C, a tiling
// that the kernel knows when it is compiled.
#ifdef CUBE_ONLY
#define ASCENDC_CUBE_ONLY
#endif
#include "kernel_operator.h"

#include "lib/matmul_intf.h"

using namespace AscendC;

__aicore__ inline TCubeTiling tilingOf(uint32_t m, uint32_t n, uint32_t k) {
  TCubeTiling t;
  t.M = t.singleCoreM = m;
  t.N = t.singleCoreN = n;
  t.Ka = t.Kb = t.singleCoreK = k;
  t.baseM = t.baseN = 32;
  t.baseK = 32;
  return t;
}

template <LayoutMode in, LayoutMode out>
__global__ __aicore__ void batches(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m,
                                   uint32_t n, uint32_t k, uint32_t batchA,
                                   uint32_t batchB) {
  TCubeTiling t = tilingOf(m, n, k);
  // One batch, batchA heads: [1][S][N][1][D].
  t.ALayoutInfoB = t.BLayoutInfoB = t.CLayoutInfoB = 1;
  t.ALayoutInfoS = m;
  t.BLayoutInfoS = n;
  t.CLayoutInfoS1 = m;
  t.ALayoutInfoN = batchA;
  t.BLayoutInfoN = batchB;
  t.CLayoutInfoN = batchA > batchB ? batchA : batchB;
  t.ALayoutInfoG = t.BLayoutInfoG = t.CLayoutInfoG = 1;
  t.ALayoutInfoD = t.BLayoutInfoD = k;
  t.CLayoutInfoS2 = n;
  using A = MatmulType<TPosition::GM, CubeFormat::ND, half, false, in>;
  using B = MatmulType<TPosition::GM, CubeFormat::ND, half, true, in>;
  using C = MatmulType<TPosition::GM, CubeFormat::ND, float, false, out>;
  Matmul<A, B, C> mm;
  TPipe pipe;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  if (GetBlockIdx() != 0)
    return;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  mm.SetTensorA(aGm);
  mm.SetTensorB(bGm, true);
  // Numbers of type int are what programs pass.
  mm.IterateBatch(cGm, int32_t(batchA), int32_t(batchB), false);
  mm.End();
}

/// A in UB (rows of 32 bytes), or in L1 (NZ).
template <TPosition where, CubeFormat format>
__global__ __aicore__ void local_operand(GM_ADDR a, GM_ADDR b, GM_ADDR c,
                                         uint32_t m, uint32_t n, uint32_t k) {
  TCubeTiling t = tilingOf(m, n, k);
  Matmul<MatmulType<where, format, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  TPipe pipe;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  if (GetBlockIdx() != 0)
    return;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  LocalTensor<half> left;
  TBuf<TPosition::VECCALC> ub;
  TSCM<TPosition::GM, 1> l1;
  uint32_t wide = (k + 15) / 16 * 16, tall = (m + 15) / 16 * 16;
  if constexpr (where == TPosition::VECOUT) {
    pipe.InitBuffer(ub, m * wide * sizeof(half));
    left = ub.Get<half>();
    DataCopyPad(left, aGm, DataCopyExtParams(m, k * sizeof(half), 0, 0, 0),
                DataCopyPadExtParams<half>(false, 0, 0, 0));
    PipeBarrier<PIPE_ALL>();
  } else {
    pipe.InitBuffer(l1, 1, tall * wide * sizeof(half));
    left = l1.template AllocTensor<half>();
    DataCopy(left, aGm, Nd2NzParams(1, m, k, 0, k, tall, 1, 0));
    l1.EnQue(left);
    left = l1.template DeQue<half>();
  }
  mm.SetTensorA(left);
  mm.SetTensorB(bGm);
  mm.IterateAll(cGm);
  mm.End();
}

/// Blocks above or below the diagonal are left as they are.
constexpr static MatmulConfig plain = GetNormalConfig();
template <template <const auto &, typename...> class policy>
__global__ __aicore__ void triangle(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m,
                                    uint32_t n, uint32_t k, uint32_t byStep) {
  TCubeTiling t = tilingOf(m, n, k);
  using Halves = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  using Floats = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  Matmul<Halves, Halves, Floats, Floats, plain, MatmulCallBackFunc<>, policy>
      mm;
  TPipe pipe;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  if (GetBlockIdx() != 0)
    return;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  mm.SetTensorA(aGm);
  mm.SetTensorB(bGm);
  if (byStep)
    while (mm.Iterate())
      mm.GetTensorC(cGm);
  else
    mm.IterateAll(cGm);
  mm.End();
}

/// Each vector core of a block gets half of the rows of a step.
__global__ __aicore__ void halves(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m,
                                  uint32_t n, uint32_t k) {
  TCubeTiling t = tilingOf(m, n, k);
  using Halves = MatmulType<TPosition::GM, CubeFormat::ND, half, false,
                            LayoutMode::NONE, true>;
  using Floats = MatmulType<TPosition::VECIN, CubeFormat::ND_ALIGN, float>;
  Matmul<Halves, Halves, Floats, Floats, plain, MatmulCallBackFunc<>,
         Impl::Detail::SplitMMatmulPolicy>
      mm;
  TPipe pipe;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  TBuf<TPosition::VECCALC> ub;
  pipe.InitBuffer(ub, t.baseM * t.baseN * sizeof(float));
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  mm.SetTensorA(aGm);
  mm.SetTensorB(bGm);
  LocalTensor<float> block = ub.Get<float>();
  for (uint32_t row = 0; mm.Iterate(); row += t.baseM) {
    uint32_t rows = m - row < t.baseM ? m - row : t.baseM;
    uint32_t first = GetSubBlockIdx() ? (rows + 1) / 2 : 0;
    uint32_t mine = GetSubBlockIdx() ? rows / 2 : (rows + 1) / 2;
    mm.GetTensorC(block, 0, true);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(cGm[(row + first) * n], block,
                DataCopyExtParams(mine, n * sizeof(float), 0, 0, 0));
    PipeBarrier<PIPE_ALL>();
  }
  mm.End();
}

/// One block of C, once for each part of k.
constexpr MatmulConfig partialConfig() {
  MatmulConfig c = CFG_MDL;
  c.isPartialOutput = true;
  return c;
}
constexpr static MatmulConfig partial = partialConfig();
__global__ __aicore__ void parts(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m,
                                 uint32_t n, uint32_t k) {
  TCubeTiling t = tilingOf(m, n, k);
  using Halves = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  using Floats = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  Matmul<Halves, Halves, Floats, Floats, partial> mm;
  TPipe pipe;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
  if (GetBlockIdx() != 0)
    return;
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  mm.SetTensorA(aGm);
  mm.SetTensorB(bGm);
  for (uint32_t offset = 0; mm.Iterate(); offset += t.baseM * t.baseN)
    mm.GetTensorC(cGm[offset], 0, true);
  mm.End();
}

#ifdef CUBE_ONLY
/// Both kinds of cores, the object on the cube core: the vector cores wait for
/// its result and add 1.
__global__ __aicore__ void beside_vector(GM_ADDR a, GM_ADDR b, GM_ADDR c,
                                         uint32_t m, uint32_t n, uint32_t k) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  TPipe pipe;
  GlobalTensor<float> cGm;
  cGm.SetGlobalBuffer((__gm__ float *)c);
  if ASCEND_IS_AIC {
    TCubeTiling t = tilingOf(m, n, k);
    GlobalTensor<half> aGm, bGm;
    aGm.SetGlobalBuffer((__gm__ half *)a);
    bGm.SetGlobalBuffer((__gm__ half *)b);
    using Halves = MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using Floats = MatmulType<TPosition::GM, CubeFormat::ND, float>;
    Matmul<Halves, Halves, Floats, Floats> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t);
    mm.SetTensorA(aGm);
    mm.SetTensorB(bGm);
    mm.IterateAll(cGm);
    mm.End();
    CrossCoreSetFlag<2, PIPE_FIX>(3);
  }
  if ASCEND_IS_AIV {
    uint32_t share = m * n / 2;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, share * sizeof(float));
    LocalTensor<float> x = buffer.Get<float>();
    CrossCoreWaitFlag<2, PIPE_MTE2>(3);
    DataCopy(x, cGm[GetSubBlockIdx() * share], share);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(x, x, 1.0f, share);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(cGm[GetSubBlockIdx() * share], x, share);
  }
}

/// The cube core by itself: results stay in L0C until the kernel takes them
/// out.
constexpr static MatmulShapeParams shape = {32, 48, 64, 32, 48, 64};
constexpr static MatmulConfig config =
    GetMMConfig<MatmulConfigMode::CONFIG_NORM>(shape);
using A = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using B = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using C = MatmulType<TPosition::CO1, CubeFormat::NZ, float>;
constexpr static MatmulApiStaticTiling known =
    GetMatmulApiTiling<A, B, C, C>(config);

__global__ __aicore__ void in_l0c(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  Matmul<A, B, C, C, known> mm; // the sizes come from the constant
  TPipe pipe;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling *)nullptr);
  mm.SetOrgShape(32, 48, 64);
  GlobalTensor<half> aGm, bGm;
  GlobalTensor<float> cGm;
  aGm.SetGlobalBuffer((__gm__ half *)a);
  bGm.SetGlobalBuffer((__gm__ half *)b);
  cGm.SetGlobalBuffer((__gm__ float *)c);
  TQue<TPosition::CO1, 1> co1;
  pipe.InitBuffer(co1, 1, 32 * 48 * sizeof(float));
  LocalTensor<float> acc = co1.AllocTensor<float>();
  mm.SetTensorA(aGm);
  mm.SetTensorB(bGm);
  mm.Iterate(false, acc);
  co1.EnQue(acc);
  acc = co1.DeQue<float>();
  Fixpipe(cGm, acc, FixpipeParamsV220(48, 32, 32, 48, true));
  co1.FreeTensor(acc);
  mm.End();
}
#endif
