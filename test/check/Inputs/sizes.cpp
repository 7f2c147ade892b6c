// How large arguments have to be, which only launches know; and lengths that
// are no whole number of blocks.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

/// Blocks share n elements in whole tiles; the last one has less, unless the
/// kernel forgets it, or is told of more than it touches.
template <bool CUT, bool CUT_TOLD>
__aicore__ inline void shareOut(GM_ADDR x, uint32_t n) {
  uint32_t part = (n + GetBlockNum() - 1) / GetBlockNum();
  uint32_t begin = part * GetBlockIdx();
  uint32_t rest = begin < n ? n - begin : 0;
  uint32_t length = rest < part ? rest : part;
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + begin, CUT_TOLD ? length : part);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, TILE * 4);
  LocalTensor<float> t = buffer.Get<float>();
  uint32_t all = CUT ? length : begin < n ? part : 0;
  for (uint32_t at = 0; at < all; at += TILE) {
    uint32_t now = all - at < TILE ? all - at : TILE;
    DataCopyPad(t, xGm[at], {1, now * 4, 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
  }
}
extern "C" __global__ __aicore__ void cut(GM_ADDR x, uint32_t n) {
  shareOut<true, true>(x, n);
}
extern "C" __global__ __aicore__ void told_more(GM_ADDR x, uint32_t n) {
  shareOut<true, false>(x, n);
}
extern "C" __global__ __aicore__ void not_cut(GM_ADDR x, uint32_t n) {
  shareOut<false, false>(x, n);
}

template <uint32_t COUNT>
__aicore__ inline void copyOne(GM_ADDR x, uint32_t n) {
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 4096);
  if (GetBlockIdx() == 0)
    DataCopy(buffer.Get<half>(), xGm, COUNT ? COUNT : n);
}
extern "C" __global__ __aicore__ void whole(GM_ADDR x) { copyOne<1008>(x, 0); }
extern "C" __global__ __aicore__ void halves(GM_ADDR x) { copyOne<1000>(x, 0); }
extern "C" __global__ __aicore__ void any(GM_ADDR x, uint32_t n) {
  copyOne<0>(x, n);
}

// A tiling that is copied word by word, through a pointer and a number.
struct Tiling {
  uint32_t n, rows;
  float scale;
};
extern "C" __global__ __aicore__ void words(GM_ADDR x, GM_ADDR tiling) {
  Tiling t;
  for (uint32_t i = 0; i < sizeof(t) / 4; ++i)
    *((uint32_t *)&t + i) = *((__gm__ uint32_t *)tiling + i);
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, t.n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 4096);
  DataCopyPad(buffer.Get<float>(), xGm, {1, t.n * 4, 0, 0, 0},
              {false, 0, 0, 0});
}

// The number of a row is one of an element in a list with one for each row.
extern "C" __global__ __aicore__ void of_rows(GM_ADDR x, GM_ADDR list,
                                              int32_t rows, int32_t columns) {
  GlobalTensor<float> xGm;
  GlobalTensor<int32_t> listGm;
  xGm.SetGlobalBuffer((__gm__ float *)x);
  listGm.SetGlobalBuffer((__gm__ int32_t *)list);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 4096);
  int32_t block = GetBlockIdx();
  int32_t row = block * rows;
  if (listGm.GetValue(row) == 0)
    DataCopyPad(buffer.Get<float>(), xGm[static_cast<int64_t>(row) * columns],
                {1, 1024, 0, 0, 0}, {false, 0, 0, 0});
}
