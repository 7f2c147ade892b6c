#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LENGTH = 256;

extern "C" __global__ __aicore__ void clear(GM_ADDR z, uint32_t rowFactor) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, LENGTH * sizeof(float));
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z, LENGTH);

  LocalTensor<float> t = out.AllocTensor<float>();
  Duplicate(t, 0.0f, LENGTH);
  out.EnQue(t);
  t = out.DeQue<float>();
  DataCopy(zGm, t, LENGTH);
  out.FreeTensor(t);
}
