// max(x, 0).
#include "../lines.h"

#ifndef TILE
#define TILE 8192
#endif

extern "C" __global__ __aicore__ void relu(GM_ADDR xAt, GM_ADDR yAt,
                                           int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, n), y = Global<float>(yAt, n);
  Lines<float, TILE, 1, 1> lines;
  lines.Run(
      n, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) { Relu(r, t, count); },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
