// Loops that are left from their inside, or when a number is reached.
#include "kernel_operator.h"
using namespace AscendC;

using Queue = TQueBind<TPosition::VECIN, TPosition::VECOUT, 2>;

__aicore__ inline void copyRow(const GlobalTensor<float> &to,
                               const GlobalTensor<float> &from, Queue &que,
                               bool keep = false) {
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopy(t, from, 64);
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopy(to, t, 64);
  if (!keep)
    que.FreeTensor(t);
}

#define ROWS                                                                   \
  GlobalTensor<float> xGm, yGm;                                                \
  xGm.SetGlobalBuffer((__gm__ float *)x, n * 64);                              \
  yGm.SetGlobalBuffer((__gm__ float *)y, n * 64);                              \
  TPipe pipe;                                                                  \
  Queue que;                                                                   \
  pipe.InitBuffer(que, 2, 256);

extern "C" __global__ __aicore__ void until_equal(GM_ADDR x, GM_ADDR y,
                                                  uint32_t n) {
  ROWS for (uint32_t i = 0; i != n; ++i) copyRow(yGm[i * 64], xGm[i * 64], que);
}

// By steps of two, an odd number is passed.
extern "C" __global__ __aicore__ void passed(GM_ADDR x, GM_ADDR y, uint32_t n) {
  ROWS for (uint32_t i = 0; i != n; i += 2)
      copyRow(yGm[i * 64], xGm[i * 64], que);
}

// It begins at one.
extern "C" __global__ __aicore__ void from_one(GM_ADDR x, GM_ADDR y,
                                               uint32_t n) {
  ROWS for (uint32_t i = 1; i != n; ++i) copyRow(yGm[i * 64], xGm[i * 64], que);
}

extern "C" __global__ __aicore__ void until_break(GM_ADDR x, GM_ADDR y,
                                                  uint32_t n) {
  ROWS uint32_t i = 0;
  while (true) {
    if (i >= n)
      break;
    copyRow(yGm[i * 64], xGm[i * 64], que);
    ++i;
  }
}

extern "C" __global__ __aicore__ void until_return(GM_ADDR x, GM_ADDR y,
                                                   uint32_t n) {
  ROWS for (uint32_t i = 0;; ++i) {
    if (i == n)
      return;
    copyRow(yGm[i * 64], xGm[i * 64], que);
  }
}

// The row after the last one is copied before the end is seen.
extern "C" __global__ __aicore__ void too_late(GM_ADDR x, GM_ADDR y,
                                               uint32_t n) {
  ROWS for (uint32_t i = 0;; ++i) {
    copyRow(yGm[i * 64], xGm[i * 64], que);
    if (i == n)
      break;
  }
}

// A buffer is kept in the tenth iteration.
extern "C" __global__ __aicore__ void keeps_one(GM_ADDR x, GM_ADDR y,
                                                uint32_t n) {
  ROWS for (uint32_t i = 0;; ++i) {
    if (i == n)
      break;
    copyRow(yGm[i * 64], xGm[i * 64], que, i == 9);
  }
}

// Nobody leaves it.
extern "C" __global__ __aicore__ void no_end(GM_ADDR x, GM_ADDR y, uint32_t n) {
  ROWS for (uint32_t i = 0;; ++i) copyRow(yGm[i * 64], xGm[i * 64], que);
}

#define PIECES                                                                 \
  GlobalTensor<float> xGm, yGm;                                                \
  xGm.SetGlobalBuffer((__gm__ float *)x, n);                                   \
  yGm.SetGlobalBuffer((__gm__ float *)y, n);                                   \
  TPipe pipe;                                                                  \
  Queue que;                                                                   \
  pipe.InitBuffer(que, 2, 1024);

__aicore__ inline void copyPiece(const GlobalTensor<float> &to,
                                 const GlobalTensor<float> &from,
                                 uint32_t count, Queue &que) {
  LocalTensor<float> t = que.AllocTensor<float>();
  DataCopyPad(t, from, {1, uint32_t(count * sizeof(float)), 0, 0, 0},
              {false, 0, 0, 0});
  que.EnQue(t);
  t = que.DeQue<float>();
  DataCopyPad(to, t, {1, uint32_t(count * sizeof(float)), 0, 0, 0});
  que.FreeTensor(t);
}

// What is left and what is done are always all of it.
extern "C" __global__ __aicore__ void left_and_done(GM_ADDR x, GM_ADDR y,
                                                    uint32_t n) {
  PIECES
  uint32_t left = n, done = 0;
  while (left > 0) {
    uint32_t now = left < 256 ? left : 256;
    copyPiece(yGm[done], xGm[done], now, que);
    left -= now;
    done += now;
  }
}

// Sixteen fewer are counted than were copied.
extern "C" __global__ __aicore__ void miscounted(GM_ADDR x, GM_ADDR y,
                                                 uint32_t n) {
  PIECES
  uint32_t left = n, done = 0;
  while (left > 16) {
    uint32_t now = left < 256 ? left : 256;
    copyPiece(yGm[done], xGm[done], now, que);
    left -= now - 16;
    done += now;
  }
}

// From the fourth piece on, more is counted as done than was.
extern "C" __global__ __aicore__ void drifts(GM_ADDR x, GM_ADDR y, uint32_t n) {
  PIECES
  uint32_t left = n, done = 0, pieces = 0;
  while (left > 0) {
    uint32_t now = left < 256 ? left : 256;
    copyPiece(yGm[done], xGm[done], now, que);
    left -= now;
    done += pieces < 4 ? now : 256;
    ++pieces;
  }
}

// The next piece begins before the last one ends.
extern "C" __global__ __aicore__ void goes_back(GM_ADDR x, GM_ADDR y,
                                                uint32_t n) {
  PIECES
  uint32_t left = n, done = 0, pieces = 0;
  while (left > 0) {
    uint32_t now = left < 256 ? left : 256;
    copyPiece(yGm[done], xGm[done], now, que);
    left -= now;
    done = pieces == 5 ? 0 : done + now;
    ++pieces;
  }
}
