// x / 2 * (1 + erf(x / sqrt(2))), the error function by the library.
#include "../lines.h"

#ifndef TILE
#define TILE 8192
#endif

extern "C" __global__ __aicore__ void gelu(GM_ADDR xAt, GM_ADDR yAt,
                                           int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = TILE;
  auto x = Global<float>(xAt, n), y = Global<float>(yAt, n);
  Lines<float, N, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, N * sizeof(float) + 8192);
  LocalTensor<float> erf = space.GetWithOffset<float>(N, 0);
  LocalTensor<uint8_t> work =
      space.GetWithOffset<uint8_t>(8192, N * sizeof(float));
  lines.Run(
      n, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        Muls(r, t, 0.70710678f, count);
        Then();
        Erf(erf, r, work, count);
        Then();
        Muls(r, t, 0.5f, count);
        Adds(erf, erf, 1.0f, count);
        Then();
        Mul(r, r, erf, count);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
