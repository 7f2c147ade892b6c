#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 128;

extern "C" __global__ __aicore__ void numbers(GM_ADDR z, uint32_t usedCores) {
  uint32_t me = GetBlockIdx();
  if (me >= usedCores)
    return;
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, N * sizeof(float));
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z + me * N, N);

  LocalTensor<float> t = out.AllocTensor<float>();
  Duplicate(t, float(me), N);
  out.EnQue(t);
  t = out.DeQue<float>();
  DataCopy(zGm, t, N);
  out.FreeTensor(t);
}
