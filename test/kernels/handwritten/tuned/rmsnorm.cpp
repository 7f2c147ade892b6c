// Root mean square normalisation of rows of 1024.
#include "rows.h"

extern "C" __global__ __aicore__ void
rmsnorm(GM_ADDR xAt, GM_ADDR gammaAt, GM_ADDR yAt, int64_t n, float eps) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, n * C), y = Global<float>(yAt, n * C),
       gamma = Global<float>(gammaAt, C);
  Lines<float, R * C, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, C * 4 + SpaceOfRows);
  auto g = space.GetWithOffset<float>(C, 0);
  RowSpace s(space, C * 4);
  In(g, gamma, 0, C);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  lines.Run(
      n * C, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        const int32_t rows = count / C;
        Mul(r, t, t, count);
        Then();
        RowReduce<false>(s, r, rows);
        Muls(s.column, s.column, 1.0f / C, rows);
        Then();
        Adds(s.column, s.column, eps, rows);
        Then();
        Rsqrt(s.column, s.column, rows);
        Then();
        Spread(s, rows);
        BY_ROW(Mul, r, t, rows);
        Then();
        WITH_ROW(Mul, r, r, g, rows);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
