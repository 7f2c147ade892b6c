// Reductions that only arch 3510 has: narrow integers into wide sums.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__global__ __aicore__ void widen(GM_ADDR x, GM_ADDR y, int32_t count,
                                 int32_t mask) {
  using D = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf;
  GlobalTensor<T> xGm;
  GlobalTensor<D> yGm;
  int32_t repeat = count * sizeof(T) / 256;
  int32_t results = (repeat + 7) / 8 * 8;
  xGm.SetGlobalBuffer((__gm__ T *)x, count);
  yGm.SetGlobalBuffer((__gm__ D *)y, results);
  pipe.InitBuffer(xBuf, count * sizeof(T));
  pipe.InitBuffer(yBuf, results * sizeof(D));
  DataCopy(xBuf.Get<T>(), xGm, count);
  PipeBarrier<PIPE_ALL>();
  ReduceRepeat<ReduceType::SUM, D, T>(yBuf.Get<D>(), xBuf.Get<T>(), mask,
                                      repeat, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, yBuf.Get<D>(), results);
}
