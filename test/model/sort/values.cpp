// Sort with a configuration, which arch 3510 has.
#include "kernel_operator.h"

using namespace AscendC;

constexpr SortConfig RISING = {SortType::RADIX_SORT, false};
constexpr SortConfig FALLING = {SortType::RADIX_SORT, true};
constexpr SortConfig MERGED = {SortType::MERGE_SORT, true};

// form: 0 values, 1 values and new indices, 2 values and given indices; 10 more
// with a temporary buffer.
template <const SortConfig &config, typename T>
__aicore__ inline void call(int32_t form, LocalTensor<T> &y,
                            LocalTensor<uint32_t> &yIndex, LocalTensor<T> &x,
                            LocalTensor<uint32_t> &xIndex,
                            LocalTensor<uint8_t> &tmp, uint32_t count) {
  switch (form) {
  case 0:
    return Sort<T, false, config>(y, x, count);
  case 1:
    return Sort<T, false, config>(y, yIndex, x, count);
  case 2:
    return Sort<T, uint32_t, false, config>(y, yIndex, x, xIndex, count);
  case 10:
    return Sort<T, false, config>(y, x, tmp, count);
  case 11:
    return Sort<T, false, config>(y, yIndex, x, tmp, count);
  default:
    return Sort<T, uint32_t, false, config>(y, yIndex, x, xIndex, tmp, count);
  }
}

template <typename T>
__global__ __aicore__ void values(GM_ADDR x, GM_ADDR index, GM_ADDR y,
                                  GM_ADDR yIndex, int32_t total, int32_t count,
                                  int32_t form, int32_t way) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> xBuf, iBuf, yBuf, nBuf, tmpBuf;
  GlobalTensor<T> xGm, yGm;
  GlobalTensor<uint32_t> iGm, nGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, total);
  yGm.SetGlobalBuffer((__gm__ T *)y, total);
  iGm.SetGlobalBuffer((__gm__ uint32_t *)index, total);
  nGm.SetGlobalBuffer((__gm__ uint32_t *)yIndex, total);
  pipe.InitBuffer(xBuf, total * sizeof(T));
  pipe.InitBuffer(yBuf, total * sizeof(T));
  pipe.InitBuffer(iBuf, total * 4);
  pipe.InitBuffer(nBuf, total * 4);
  pipe.InitBuffer(tmpBuf, 8192);
  auto in = xBuf.Get<T>(), out = yBuf.Get<T>();
  auto inIndex = iBuf.Get<uint32_t>(), outIndex = nBuf.Get<uint32_t>();
  auto tmp = tmpBuf.Get<uint8_t>();
  DataCopy(in, xGm, total);
  DataCopy(inIndex, iGm, total);
  DataCopy(out, yGm, total);
  DataCopy(outIndex, nGm, total);
  PipeBarrier<PIPE_ALL>();
  if (way == 0)
    call<RISING>(form, out, outIndex, in, inIndex, tmp, count);
  else if (way == 1)
    call<FALLING>(form, out, outIndex, in, inIndex, tmp, count);
  else
    call<MERGED>(form, out, outIndex, in, inIndex, tmp, count); // merged
  PipeBarrier<PIPE_ALL>();
  DataCopy(yGm, out, total);
  DataCopy(nGm, outIndex, total);
}
