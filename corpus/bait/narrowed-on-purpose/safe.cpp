#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 512;

extern "C" __global__ __aicore__ void low_byte(GM_ADDR z, uint32_t word) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, N * sizeof(int32_t));
  GlobalTensor<int32_t> zGm;
  zGm.SetGlobalBuffer((__gm__ int32_t *)z, N);

  uint8_t low = static_cast<uint8_t>(word);
  LocalTensor<int32_t> t = out.AllocTensor<int32_t>();
  Duplicate(t, static_cast<int32_t>(low), N);
  out.EnQue(t);
  t = out.DeQue<int32_t>();
  DataCopy(zGm, t, N);
  out.FreeTensor(t);
}
