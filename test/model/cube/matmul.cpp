// The Matmul object: shapes, transposition, bias, ways out, types.
#include "kernel_operator.h"

#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr uint32_t TransposedA = 1;
constexpr uint32_t TransposedB = 2;
constexpr uint32_t WithBias = 4;
constexpr uint32_t QuantScalar = 8;
constexpr uint32_t QuantVector = 16;
constexpr uint32_t IntoAtomically = 32;
constexpr uint32_t AlongN = 64;
constexpr uint32_t WithHf32 = 128;

enum class Way : uint32_t {
  All,
  Iterate,
  Async,
  ToLocal,     // GetTensorC into UB, then to GM
  Sequential,  // blocks one after the other
  PartialSums, // two halves of k, summed in L0C
};

struct Sizes {
  uint32_t m, n, k, baseM, baseN, flags;
  Way way;
};

__aicore__ inline TCubeTiling tilingOf(const Sizes &s) {
  TCubeTiling t;
  t.M = s.m;
  t.N = s.n;
  t.Ka = t.Kb = s.k;
  // Blocks share the rows of C.
  t.singleCoreM = (s.m + GetBlockNum() - 1) / GetBlockNum();
  t.singleCoreN = s.n;
  t.singleCoreK = s.k;
  t.baseM = s.baseM;
  t.baseN = s.baseN;
  t.baseK = 32;
  t.iterateOrder = s.flags & AlongN ? 1 : 0;
  t.isBias = s.flags & WithBias ? 1 : 0;
  return t;
}

template <typename T, typename Bias, typename Out, CubeFormat format>
class Product {
public:
  using A = MatmulType<TPosition::GM, format, T, true>;
  using B = MatmulType<TPosition::GM, format, T, true>;
  using C = MatmulType<TPosition::GM, CubeFormat::ND, Out>;
  Matmul<A, B, C, MatmulType<TPosition::GM, CubeFormat::ND, Bias>> mm;

  __aicore__ inline void run(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR quant,
                             GM_ADDR c, GM_ADDR workspace, TPipe &pipe,
                             const Sizes &s, const TCubeTiling &t) {
    aGm.SetGlobalBuffer((__gm__ T *)a);
    bGm.SetGlobalBuffer((__gm__ T *)b);
    biasGm.SetGlobalBuffer((__gm__ Bias *)bias);
    cGm.SetGlobalBuffer((__gm__ Out *)c);
    quantGm.SetGlobalBuffer((__gm__ uint64_t *)quant);
    // Of the two vector cores of a block, the first works.
    if (GetSubBlockIdx() != 0)
      return;
    uint32_t row = GetBlockIdx() / GetTaskRation() * t.singleCoreM;
    if (row >= s.m)
      return;
    uint32_t rows = s.m - row < t.singleCoreM ? s.m - row : t.singleCoreM;
    mm.SetTail(rows, s.n, s.k);
    if (s.flags & WithHf32)
      mm.SetHF32(true);
    if (s.flags & QuantScalar)
      mm.SetQuantScalar(quantGm.GetValue(0));
    if (s.flags & QuantVector)
      mm.SetQuantVector(quantGm);
    bool ta = s.flags & TransposedA, tb = s.flags & TransposedB;
    if (s.flags & WithBias)
      mm.SetBias(biasGm);
    GlobalTensor<T> mine = aGm[ta ? row : row * s.k];
    GlobalTensor<Out> out = cGm[row * s.n];
    if (s.way == Way::PartialSums) {
      uint32_t half = s.k / 2 / 16 * 16;
      mm.SetTail(rows, s.n, half);
      mm.SetTensorA(mine, ta);
      mm.SetTensorB(bGm, tb);
      mm.Iterate();
      mm.SetTail(rows, s.n, s.k - half);
      mm.SetTensorA(mine[ta ? half * s.m : half], ta);
      mm.SetTensorB(bGm[tb ? half : half * s.n], tb);
      mm.Iterate(true);
      mm.GetTensorC(out);
    } else {
      mm.SetTensorA(mine, ta);
      mm.SetTensorB(bGm, tb);
      compute(out, workspace, pipe, s, t, rows);
    }
    mm.End();
  }

private:
  __aicore__ inline void compute(const GlobalTensor<Out> &out,
                                 GM_ADDR workspace, TPipe &pipe, const Sizes &s,
                                 const TCubeTiling &t, uint32_t rows) {
    uint8_t atomic = s.flags & IntoAtomically ? 1 : 0;
    if (s.way == Way::All)
      mm.IterateAll(out, atomic);
    else if (s.way == Way::Iterate)
      while (mm.Iterate())
        mm.GetTensorC(out, atomic);
    else if (s.way == Way::Sequential) {
      for (uint32_t at = 0; mm.Iterate(); at += s.baseM * s.baseN)
        mm.GetTensorC(out[at], atomic, true);
    } else if (s.way == Way::Async) {
      GlobalTensor<Out> scratch;
      scratch.SetGlobalBuffer((__gm__ Out *)workspace);
      mm.SetWorkspace(scratch);
      mm.template Iterate<false>();
      uint32_t steps =
          (rows + s.baseM - 1) / s.baseM * ((s.n + s.baseN - 1) / s.baseN);
      for (uint32_t i = 0; i < steps; ++i)
        mm.template GetTensorC<false>(out, atomic);
    } else
      toLocal(out, pipe, s, rows);
  }

  /// Whole blocks only: the test gives sizes that divide.
  __aicore__ inline void toLocal(const GlobalTensor<Out> &out, TPipe &pipe,
                                 const Sizes &s, uint32_t rows) {
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, s.baseM * s.baseN * sizeof(Out));
    for (uint32_t i = 0; mm.Iterate(); ++i) {
      LocalTensor<Out> block = queue.AllocTensor<Out>();
      mm.GetTensorC(block);
      queue.EnQue(block);
      block = queue.DeQue<Out>();
      uint32_t steps = rows / s.baseM;
      uint32_t m = i % steps * s.baseM, n = i / steps * s.baseN;
      PipeBarrier<PIPE_ALL>();
      for (uint32_t r = 0; r < s.baseM; ++r)
        DataCopy(out[(m + r) * s.n + n], block[r * s.baseN], s.baseN);
      PipeBarrier<PIPE_ALL>();
      queue.FreeTensor(block);
    }
  }

  GlobalTensor<T> aGm, bGm;
  GlobalTensor<Bias> biasGm;
  GlobalTensor<Out> cGm;
  GlobalTensor<uint64_t> quantGm;
};

template <typename T, typename Bias, typename Out, CubeFormat format>
__global__ __aicore__ void
matmul_object(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR quant, GM_ADDR c,
              uint32_t m, uint32_t n, uint32_t k, uint32_t baseM,
              uint32_t baseN, uint32_t flags, uint32_t way, GM_ADDR workspace) {
  Sizes s = {m, n, k, baseM, baseN, flags, static_cast<Way>(way)};
  TCubeTiling tiling = tilingOf(s);
  TPipe pipe;
  Product<T, Bias, Out, format> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &tiling);
  op.run(a, b, bias, quant, c, workspace, pipe, s, tiling);
}
