#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;
constexpr uint32_t ROUNDS = 2;
constexpr uint16_t DONE = 3;

extern "C" __global__ __aicore__ void in_step(GM_ADDR z) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  TPipe pipe;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(out, 2, N * sizeof(float));
  GlobalTensor<float> zGm;
  zGm.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * ROUNDS * N);

  for (uint32_t i = 0; i < ROUNDS; ++i) {
    LocalTensor<float> t = out.AllocTensor<float>();
    Duplicate(t, float(i), N);
    out.EnQue(t);
    t = out.DeQue<float>();
    DataCopy(zGm[i * N], t, N);
    out.FreeTensor(t);
    CrossCoreSetFlag<0x0, PIPE_MTE3>(DONE);
    CrossCoreWaitFlag(DONE);
  }
}
