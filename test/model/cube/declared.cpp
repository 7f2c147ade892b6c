// Kernels whose code for vector cores is declared and defined nowhere, as a
// member of which only one specialisation is written.
#include "simple_product.h"

using namespace AscendC;

template <int32_t Core = g_coreType>
__aicore__ inline void work(GM_ADDR a, GM_ADDR b, GM_ADDR c);

template <> __aicore__ inline void work<AIC>(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  SimpleProduct<::half, float> product;
  LocalTensor<float> acc = product.run(pipe, a, b, 16, 16, 16);
  GlobalTensor<float> cGm;
  cGm.SetGlobalBuffer((__gm__ float *)c);
  Fixpipe(cGm, acc, FixpipeParamsV220(16, 16, 16, 16, false));
}

__global__ __aicore__ void inferred(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  work(a, b, c);
}

__global__ __aicore__ void said(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  work(a, b, c);
}

__global__ __aicore__ void says_mixed(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  work(a, b, c);
}

// An instruction of the vector unit needs vector cores.
__global__ __aicore__ void uses_both(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  if constexpr (g_coreType == AIV) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> ub;
    pipe.InitBuffer(ub, 1024);
    Duplicate(ub.Get<float>(), 2.0f, 256);
  }
  work(a, b, c);
}
