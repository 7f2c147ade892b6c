// What reductions leave for the scalar unit, and the compiler's own names.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__global__ __aicore__ void registers(GM_ADDR x, GM_ADDR y, int32_t count,
                                     int32_t op) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, count);
  yGm.SetGlobalBuffer((__gm__ T *)y, 16);
  pipe.InitBuffer(xBuf, count * sizeof(T));
  pipe.InitBuffer(yBuf, 16 * sizeof(T));
  pipe.InitBuffer(tmpBuf, count * sizeof(T));
  auto in = xBuf.Get<T>(), out = yBuf.Get<T>(), tmp = tmpBuf.Get<T>();
  DataCopy(in, xGm, count);
  DataCopy(out, xGm, 16);
  PipeBarrier<PIPE_ALL>();
  constexpr int32_t lanes = 256 / sizeof(T);
  T value = 0, index = 0;
  if (op == 0) {
    ReduceSum<T>(out, in, tmp, count);
    PipeBarrier<PIPE_ALL>();
    value = GetReduceRepeatSumSpr<T>();
    index = GetAccVal<T>();
  } else if (op == 1) {
    ReduceRepeat<ReduceType::MAX>(tmp, in, lanes, count / lanes, 1, 1, 8);
    PipeBarrier<PIPE_ALL>();
    GetReduceRepeatMaxMinSpr<T>(value, index); // two results
  } else if (op == 2) {
    WholeReduceMin<T>(tmp, in, lanes, count / lanes, 1, 1, 8);
    PipeBarrier<PIPE_ALL>();
    GetReduceMaxMinCount<T>(value, index);
  } else if (op == 3) {
    ReduceMax<T>(out, in, tmp, lanes, count / lanes, 8, true);
    PipeBarrier<PIPE_ALL>();
    GetReduceMaxMinCount<T>(value); // one result
  } else {
    ResetMask();
    vcadd(nullptr, (__ubuf__ T *)in.GetPhyAddr(), count / lanes, 1, 1, 8, true);
    PipeBarrier<PIPE_ALL>();
    uint64_t bits = get_acc_val();
    value = *reinterpret_cast<T *>(&bits);
    bits = GetAccVal();
    index = *reinterpret_cast<T *>(&bits);
  }
  out.SetValue(0, value);
  out.SetValue(1, index);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, out, 16);
}

template <typename T>
__global__ __aicore__ void raw(GM_ADDR x, GM_ADDR y, int32_t count,
                               int32_t op) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, yBuf;
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, count);
  yGm.SetGlobalBuffer((__gm__ T *)y, count);
  pipe.InitBuffer(xBuf, count * sizeof(T));
  pipe.InitBuffer(yBuf, count * sizeof(T));
  DataCopy(xBuf.Get<T>(), xGm, count);
  DataCopy(yBuf.Get<T>(), yGm, count);
  PipeBarrier<PIPE_ALL>();
  auto *in = (__ubuf__ T *)xBuf.Get<T>().GetPhyAddr();
  auto *out = (__ubuf__ T *)yBuf.Get<T>().GetPhyAddr();
  uint8_t repeat = count * sizeof(T) / 256;
  ResetMask();
  if (op == 0)
    vcadd(out, in, repeat, 1, 1, 8, false);
  else if (op == 1)
    vcmax(out, in, repeat, 1, 1, 8, VALUE_INDEX);
  else if (op == 2)
    vcmin(out, in, repeat, 1, 1, 8, ONLY_VALUE);
  else if (op == 3)
    vcgadd(out, in, repeat, 1, 1, 8);
  else if (op == 4)
    vcgmax(out, in, repeat, 1, 1, 8);
  else if (op == 5)
    vcgmin(out, in, repeat, 1, 1, 8);
  else
    vcpadd(out, in, repeat, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, yBuf.Get<T>(), count);
}
