// Kernels that say nothing of the cores they need, one kind each.
#include "simple_product.h"

using namespace AscendC;

#ifdef CUBE_KERNEL
__global__ __aicore__ void cores(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  SimpleProduct<::half, float> product;
  LocalTensor<float> acc = product.run(pipe, a, b, 16, 16, 16); // no guard
  GlobalTensor<float> cGm;
  cGm.SetGlobalBuffer((__gm__ float *)c);
  Fixpipe(cGm, acc, FixpipeParamsV220(16, 16, 16, 16, false));
}
#else
__global__ __aicore__ void cores(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> ub;
  pipe.InitBuffer(ub, 1024);
  LocalTensor<float> x = ub.Get<float>();
  Duplicate(x, 2.0f, 256); // no guard
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  GlobalTensor<float> cGm;
  cGm.SetGlobalBuffer((__gm__ float *)c);
  if (GetBlockIdx() == 0)
    DataCopy(cGm, x, 256);
}
#endif
