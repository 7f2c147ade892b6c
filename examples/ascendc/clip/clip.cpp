// clip(x, low, high) as a template over the element type with the bounds as
// scalar arguments of that type; kernels of several types from one source.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void ClipAll(GM_ADDR x, GM_ADDR y, T low, T high,
                               uint32_t total) {
  constexpr uint32_t perBlock = 32 / sizeof(T);
  constexpr uint32_t tile = 8192 / sizeof(T);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> inX;
  TQue<TPosition::VECOUT, 2> outY;
  pipe.InitBuffer(inX, 2, tile * sizeof(T));
  pipe.InitBuffer(outY, 2, tile * sizeof(T));
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, total);
  yGm.SetGlobalBuffer((__gm__ T *)y, total);

  uint32_t blocks = (total + perBlock - 1) / perBlock;
  uint32_t begin = blocks * GetBlockIdx() / GetBlockNum() * perBlock;
  uint32_t end = blocks * (GetBlockIdx() + 1) / GetBlockNum() * perBlock;
  end = end < total ? end : total;
  for (uint32_t at = begin; at < end; at += tile) {
    uint32_t count = end - at < tile ? end - at : tile;
    DataCopyExtParams piece{1, uint32_t(count * sizeof(T)), 0, 0, 0};
    LocalTensor<T> in = inX.AllocTensor<T>();
    DataCopyPad(in, xGm[at], piece, DataCopyPadExtParams<T>{false, 0, 0, 0});
    inX.EnQue(in);
    in = inX.DeQue<T>();
    LocalTensor<T> out = outY.AllocTensor<T>();
    Maxs(in, in, low, count);
    PipeBarrier<PIPE_V>();
    Mins(out, in, high, count);
    inX.FreeTensor(in);
    outY.EnQue(out);
    out = outY.DeQue<T>();
    DataCopyPad(yGm[at], out, piece);
    outY.FreeTensor(out);
  }
}

extern "C" __global__ __aicore__ void
clip_float(GM_ADDR x, GM_ADDR y, float low, float high, uint32_t total) {
  ClipAll<float>(x, y, low, high, total);
}
extern "C" __global__ __aicore__ void
clip_int32(GM_ADDR x, GM_ADDR y, int32_t low, int32_t high, uint32_t total) {
  ClipAll<int32_t>(x, y, low, high, total);
}
extern "C" __global__ __aicore__ void
clip_int16(GM_ADDR x, GM_ADDR y, int16_t low, int16_t high, uint32_t total) {
  ClipAll<int16_t>(x, y, low, high, total);
}
