#include "kernel_operator.h"
using namespace AscendC;

// The next tile is loaded before this one is used: in its queue while the loop
// goes on, and only then.
#define TILES                                                                  \
  TPipe pipe;                                                                  \
  TQue<TPosition::VECIN, 2> in;                                                \
  TQue<TPosition::VECOUT, 2> out;                                              \
  pipe.InitBuffer(in, 2, 256);                                                 \
  pipe.InitBuffer(out, 2, 256);                                                \
  GlobalTensor<float> x, y;                                                    \
  x.SetGlobalBuffer((__gm__ float *)xs, 64 * n);                               \
  y.SetGlobalBuffer((__gm__ float *)ys, 64 * n);                               \
  auto load = [&](uint32_t i) __attribute__((annotate("aicore"))) {            \
    LocalTensor<float> t = in.AllocTensor<float>();                            \
    DataCopy(t, x[i * 64], 64);                                                \
    in.EnQue(t);                                                               \
  };                                                                           \
  auto use = [&](uint32_t i) __attribute__((annotate("aicore"))) {             \
    LocalTensor<float> t = in.DeQue<float>();                                  \
    LocalTensor<float> r = out.AllocTensor<float>();                           \
    Adds(r, t, 1.0f, 64);                                                      \
    in.FreeTensor(t);                                                          \
    out.EnQue(r);                                                              \
    r = out.DeQue<float>();                                                    \
    DataCopy(y[i * 64], r, 64);                                                \
    out.FreeTensor(r);                                                         \
  };

extern "C" __global__ __aicore__ void ahead(GM_ADDR xs, GM_ADDR ys,
                                            uint32_t n) {
  TILES if (n > 0) load(0);
  for (uint32_t i = 0; i < n; ++i) {
    if (i + 1 < n)
      load(i + 1);
    use(i);
  }
}

// The last tile is loaded, and nobody uses it.
extern "C" __global__ __aicore__ void one_too_few(GM_ADDR xs, GM_ADDR ys,
                                                  uint32_t n) {
  TILES if (n > 0) load(0);
  for (uint32_t i = 0; i + 1 < n; ++i) {
    load(i + 1);
    use(i);
  }
}

// Two ahead, but only two buffers.
extern "C" __global__ __aicore__ void two_ahead(GM_ADDR xs, GM_ADDR ys,
                                                uint32_t n) {
  TILES if (n > 0) load(0);
  if (n > 1)
    load(1);
  for (uint32_t i = 0; i < n; ++i) {
    if (i + 2 < n)
      load(i + 2);
    use(i);
  }
}

// Loops in loops, each tile with its own buffer: one period of one iteration.
extern "C" __global__ __aicore__ void rows(GM_ADDR xs, GM_ADDR ys, uint32_t n,
                                           uint32_t m) {
  TILES for (uint32_t j = 0; j < m; ++j) for (uint32_t i = 0; i < n; ++i) {
    load(i);
    use(i);
    PipeBarrier<PIPE_ALL>();
  }
}

// Each tile is stored where it was loaded from.
extern "C" __global__ __aicore__ void in_place(GM_ADDR xs, uint32_t n) {
  GM_ADDR ys = xs;
  TILES for (uint32_t i = 0; i < n; ++i) {
    load(i);
    use(i);
  }
}

// One further on: the next iteration loads it, and waits for nothing.
extern "C" __global__ __aicore__ void one_further(GM_ADDR xs, uint32_t n) {
  GM_ADDR ys = xs + 256;
  TILES for (uint32_t i = 0; i + 1 < n; ++i) {
    load(i);
    use(i);
  }
}
