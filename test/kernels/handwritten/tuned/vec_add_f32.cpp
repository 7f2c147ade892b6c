// z = x + y in float, in tiles that fill the unified buffer.
#include "../lines.h"

#ifndef TILE
#define TILE 7680
#endif

extern "C" __global__ __aicore__ void vec_add_f32(GM_ADDR xAt, GM_ADDR yAt,
                                                  GM_ADDR zAt, int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = TILE;
  auto x = Global<float>(xAt, n), y = Global<float>(yAt, n),
       z = Global<float>(zAt, n);
  Lines<float, N, 2, 1> lines;
  lines.Run(
      n,
      [&](auto &t, int64_t at, int64_t count) {
        In(t, x, at, count);
        In(t[N], y, at, count);
      },
      [&](auto &r, auto &t, int64_t count) { Add(r, t, t[N], count); },
      [&](auto &r, int64_t at, int64_t count) { Out(z, r, at, count); });
}
