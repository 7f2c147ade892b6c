// Names below the API: the scalar unit's functions, and what kernels take from
// inside the vendor's library.
#include "kernel_operator.h"
#include <acl/acl.h>
using namespace AscendC;

// Blocks of y: two bursts of three in, 40 elements over them, two of two out,
// with gaps on both sides. Its name is one of the compiler's, too.
extern "C" __global__ __aicore__ void vadd(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 512);
  LocalTensor<int16_t> tensor = buffer.Get<int16_t>();
  auto *local = (__ubuf__ int16_t *)tensor.GetPhyAddr();
  Duplicate(tensor, int16_t(-1), 256);
  PipeBarrier<PIPE_ALL>();
  DataCopyGM2UBImpl(local, (__gm__ int16_t *)x, {2, 3, 1, 2});
  PipeBarrier<PIPE_ALL>();
  DuplicateImpl<int16_t>(local, 7, 40);
  PipeBarrier<PIPE_ALL>();
  DataCopyUB2GMImpl((__gm__ int16_t *)y, local, {2, 2, 3, 1});
}

// As kernels define it for themselves.
template <typename T, typename U>
__aicore__ inline T max(T const &t, U const &u) {
  return t > u ? t : u;
}

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, 2);
  yGm.SetGlobalBuffer((__gm__ float *)y, 8);
  float a = xGm.GetValue(0), b = xGm.GetValue(1);
  yGm.SetValue(0, AscendC::sqrt(a));
  yGm.SetValue(1, sin(a));
  yGm.SetValue(2, cos(a));
  yGm.SetValue(3, exp(a));
  yGm.SetValue(4, log(a));
  yGm.SetValue(5, min(a, b));
  yGm.SetValue(6, max(a, b));
  yGm.SetValue(7, min(3u, a) + max(int64_t(-1), uint8_t(2)));
}
