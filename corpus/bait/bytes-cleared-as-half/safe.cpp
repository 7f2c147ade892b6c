#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 1024;

extern "C" __global__ __aicore__ void clear_bytes(GM_ADDR z) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, N);
  GlobalTensor<int8_t> zGm;
  zGm.SetGlobalBuffer((__gm__ int8_t *)z, N);

  LocalTensor<int8_t> bytes = out.AllocTensor<int8_t>();
  Duplicate(bytes.ReinterpretCast<half>(), half(0), N / 2);
  out.EnQue(bytes);
  bytes = out.DeQue<int8_t>();
  DataCopy(zGm, bytes, N);
  out.FreeTensor(bytes);
}
