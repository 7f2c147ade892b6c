// y = a * x + y
#include "lines.h"

extern "C" __global__ __aicore__ void axpy(GM_ADDR xAt, GM_ADDR yAt, int64_t n,
                                           int64_t, float a) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = 8192;
  auto x = Global<float>(xAt, n), y = Global<float>(yAt, n);
  Lines<float, N, 2, 1> lines;
  lines.Run(
      n,
      [&](auto &t, int64_t at, int64_t count) {
        In(t, x, at, count);
        In(t[N], y, at, count);
      },
      [&](auto &r, auto &t, int64_t count) {
        Muls(r, t, a, count);
        Then();
        Add(r, r, t[N], count);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
