// z = x + y in half, in tiles that fill the unified buffer.
#include "../lines.h"

#ifndef TILE
#define TILE 15360
#endif

extern "C" __global__ __aicore__ void vec_add_f16(GM_ADDR xAt, GM_ADDR yAt,
                                                  GM_ADDR zAt, int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = TILE;
  auto x = Global<half>(xAt, n), y = Global<half>(yAt, n),
       z = Global<half>(zAt, n);
  Lines<half, N, 2, 1> lines;
  lines.Run(
      n,
      [&](auto &t, int64_t at, int64_t count) {
        In(t, x, at, count);
        In(t[N], y, at, count);
      },
      [&](auto &r, auto &t, int64_t count) { Add(r, t, t[N], count); },
      [&](auto &r, int64_t at, int64_t count) { Out(z, r, at, count); });
}
