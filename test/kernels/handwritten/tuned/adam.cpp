// One step of Adam, in place.
#include "../lines.h"

#ifndef TILE
#define TILE 3328
#endif

extern "C" __global__ __aicore__ void adam(GM_ADDR pAt, GM_ADDR gAt,
                                           GM_ADDR mAt, GM_ADDR vAt, int64_t n,
                                           float rate, float b1, float b2,
                                           float eps, float c1, float c2) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = TILE;
  auto p = Global<float>(pAt, n), g = Global<float>(gAt, n),
       m = Global<float>(mAt, n), v = Global<float>(vAt, n);
  Lines<float, N, 4, 3> lines;
  lines.Run(
      n,
      [&](auto &t, int64_t at, int64_t count) {
        In(t, p, at, count);
        In(t[N], g, at, count);
        In(t[2 * N], m, at, count);
        In(t[3 * N], v, at, count);
      },
      [&](auto &r, auto &t, int64_t count) {
        auto p1 = r, m1 = r[N], v1 = r[2 * N];
        auto grad = t[N], before = t[2 * N], square = t[3 * N];
        Muls(m1, before, b1, count);
        Mul(p1, grad, grad, count);
        Muls(v1, square, b2, count);
        Then();
        Axpy(m1, grad, 1.0f - b1, count);
        Axpy(v1, p1, 1.0f - b2, count);
        Then();
        Muls(before, m1, rate * c1, count);
        Muls(p1, v1, c2, count);
        Then();
        Sqrt(p1, p1, count);
        Then();
        Adds(p1, p1, eps, count);
        Then();
        Div(p1, before, p1, count);
        Then();
        Sub(p1, t, p1, count);
      },
      [&](auto &r, int64_t at, int64_t count) {
        Out(p, r, at, count);
        Out(m, r[N], at, count);
        Out(v, r[2 * N], at, count);
      });
}
