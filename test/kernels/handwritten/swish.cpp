// x / (1 + exp(-beta * x))
#include "lines.h"

extern "C" __global__ __aicore__ void swish(GM_ADDR xAt, GM_ADDR yAt, int64_t n,
                                            int64_t, float beta) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = 4096;
  auto x = Global<float>(xAt, n), y = Global<float>(yAt, n);
  Lines<float, N, 1, 1> lines;
  lines.Run(
      n, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        Muls(r, t, -beta, count);
        Then();
        Exp(r, r, count);
        Then();
        Adds(r, r, 1.0f, count);
        Then();
        Div(r, t, r, count);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
