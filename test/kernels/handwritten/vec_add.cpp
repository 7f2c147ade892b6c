// z = x + y
#include "lines.h"

extern "C" __global__ __aicore__ void
vec_add(GM_ADDR xAt, GM_ADDR yAt, GM_ADDR zAt, int64_t n, int64_t, int64_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = 256;
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
