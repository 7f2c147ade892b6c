// tanh(x) = 1 - 2 / (exp(2 x) + 1), which neither overflows nor needs a bound;
// the dividend is made once.
#include "../lines.h"

#ifndef TILE
#define TILE 8192
#endif

extern "C" __global__ __aicore__ void tanh_of(GM_ADDR xAt, GM_ADDR yAt,
                                              int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, n), y = Global<float>(yAt, n);
  Lines<float, TILE, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, TILE * sizeof(float));
  LocalTensor<float> dividend = space.Get<float>();
  Duplicate(dividend, -2.0f, TILE);
  lines.Run(
      n, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        Muls(r, t, 2.0f, count);
        Then();
        Exp(r, r, count);
        Then();
        Adds(r, r, 1.0f, count);
        Then();
        Div(r, dividend, r, count);
        Then();
        Adds(r, r, 1.0f, count);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
