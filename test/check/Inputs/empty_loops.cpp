#include "kernel_operator.h"
using namespace AscendC;

// Loops that the launch decides may run no iteration. What is then wrong is a
// condition of the launch.
#define TILE                                                                   \
  TPipe pipe;                                                                  \
  TQue<TPosition::VECIN, 2> queue;                                             \
  TBuf<TPosition::VECCALC> buf;                                                \
  pipe.InitBuffer(queue, 2, 256);                                              \
  pipe.InitBuffer(buf, 256);                                                   \
  GlobalTensor<float> x, y;                                                    \
  x.SetGlobalBuffer((__gm__ float *)xs, 64 * n);                               \
  y.SetGlobalBuffer((__gm__ float *)ys, 64);                                   \
  LocalTensor<float> t = buf.Get<float>();

// Without an iteration, nothing was loaded.
extern "C" __global__ __aicore__ void store(GM_ADDR xs, GM_ADDR ys,
                                            uint32_t n) {
  TILE for (uint32_t i = 0; i < n; ++i) {
    PipeBarrier<PIPE_ALL>();
    DataCopy(t, x[i * 64], 64);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(y, t, 64);
}

// Two loops: one of them has to run.
extern "C" __global__ __aicore__ void either(GM_ADDR xs, GM_ADDR ys, uint32_t n,
                                             uint32_t m) {
  TILE for (uint32_t i = 0; i < n; ++i) {
    PipeBarrier<PIPE_ALL>();
    DataCopy(t, x[i * 64], 64);
  }
  for (uint32_t i = 0; i < m; ++i) {
    PipeBarrier<PIPE_ALL>();
    Duplicate(t, 0.0f, 64);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(y, t, 64);
}

// The queue is empty after the loop, too: what waits there waits for ever.
extern "C" __global__ __aicore__ void take(GM_ADDR xs, GM_ADDR ys, uint32_t n) {
  TILE LocalTensor<float> first;
  for (uint32_t i = 0; i < n; ++i) {
    if (i == 0) {
      first = queue.AllocTensor<float>();
      DataCopy(first, x, 64);
      queue.EnQue(first);
    }
  }
  LocalTensor<float> loaded = queue.DeQue<float>();
  queue.FreeTensor(loaded);
}

// Nothing is wrong without an iteration.
extern "C" __global__ __aicore__ void each(GM_ADDR xs, GM_ADDR ys, uint32_t n) {
  TILE for (uint32_t i = 0; i < n; ++i) {
    LocalTensor<float> in = queue.AllocTensor<float>();
    DataCopy(in, x[i * 64], 64);
    queue.EnQue(in);
    LocalTensor<float> out = queue.DeQue<float>();
    queue.FreeTensor(out);
  }
}
