// C = A x B' + bias by the library's Matmul object, B given as [n][k]. Each
// vector core asks its cube core for a part of C; the tiling is the one that
// the host's tiling functions fill.
#include "kernel_operator.h"

#include "lib/matmul_intf.h"
using namespace AscendC;

struct MatmulObjectTilingData {
  TCubeTiling cube;
};
REGISTER_TILING_DEFAULT(MatmulObjectTilingData);

template <typename T, typename Out> class KernelMatmulObject {
public:
  using A = MatmulType<TPosition::GM, CubeFormat::ND, T>;
  using B = MatmulType<TPosition::GM, CubeFormat::ND, T, true>;
  using C = MatmulType<TPosition::GM, CubeFormat::ND, Out>;
  using Bias = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  Matmul<A, B, C, Bias, CFG_MDL> mm;

  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c,
                              const TCubeTiling &tiling) {
    t = tiling;
    aGm.SetGlobalBuffer((__gm__ T *)a, uint64_t(t.M) * t.Ka);
    bGm.SetGlobalBuffer((__gm__ T *)b, uint64_t(t.N) * t.Kb);
    biasGm.SetGlobalBuffer((__gm__ float *)bias, t.N);
    cGm.SetGlobalBuffer((__gm__ Out *)c, uint64_t(t.M) * t.N);
  }

  __aicore__ inline void Process() {
    int32_t parts = (t.M + t.singleCoreM - 1) / t.singleCoreM;
    int32_t m = GetBlockIdx() % parts * t.singleCoreM;
    int32_t n = GetBlockIdx() / parts * t.singleCoreN;
    int32_t rows = t.M - m < t.singleCoreM ? t.M - m : t.singleCoreM;
    int32_t columns = t.N - n < t.singleCoreN ? t.N - n : t.singleCoreN;
    mm.SetTail(rows, columns);
    mm.SetTensorA(aGm[uint64_t(m) * t.Ka]);
    mm.SetTensorB(bGm[uint64_t(n) * t.Kb], true);
    if (t.isBias)
      mm.SetBias(biasGm[n]);
    mm.IterateAll(cGm[uint64_t(m) * t.N + n]);
    mm.End();
  }

private:
  TCubeTiling t;
  GlobalTensor<T> aGm, bGm;
  GlobalTensor<float> biasGm;
  GlobalTensor<Out> cGm;
};

extern "C" __global__ __aicore__ void matmul_object(GM_ADDR a, GM_ADDR b,
                                                    GM_ADDR bias, GM_ADDR c,
                                                    GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  KernelMatmulObject<half, half> op;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &t.cube);
  if (GetBlockIdx() >= t.cube.usedCoreNum)
    return;
  op.Init(a, b, bias, c, t.cube);
  op.Process();
}
