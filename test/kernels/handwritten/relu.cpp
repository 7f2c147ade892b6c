// What is positive stays.
#include "lines.h"

extern "C" __global__ __aicore__ void relu(GM_ADDR xAt, GM_ADDR yAt, int64_t n,
                                           int64_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = 8192;
  auto x = Global<half>(xAt, n), y = Global<half>(yAt, n);
  Lines<half, N, 1, 1> lines;
  lines.Run(
      n, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) { Relu(r, t, count); },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
