// A template whose tiling is a parameter by value, defined in another file.
#include "kernel_operator.h"

template <typename T, int Offset>
__global__ __aicore__ void put(GM_ADDR y, PutTiling tiling) {
  AscendC::GlobalTensor<T> gm;
  gm.SetGlobalBuffer((__gm__ T *)y);
  for (int i = 0; i < 3; ++i)
    gm.SetValue(i, (T)(tiling.inner.k[i] + Offset));
  gm.SetValue(3, (T)tiling.n);
}
