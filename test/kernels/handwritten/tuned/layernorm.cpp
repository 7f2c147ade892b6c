// Layer normalisation of rows of 1024: half in and out, float inside.
#include "rows.h"

// 2002 knows rounding to the nearest half by another name.
#if __NPU_ARCH__ == 2002
constexpr RoundMode Nearest = RoundMode::CAST_NONE;
#else
constexpr RoundMode Nearest = RoundMode::CAST_RINT;
#endif

extern "C" __global__ __aicore__ void layernorm(GM_ADDR xAt, GM_ADDR gammaAt,
                                                GM_ADDR betaAt, GM_ADDR yAt,
                                                int64_t n, float eps) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<half>(xAt, n * C), y = Global<half>(yAt, n * C);
  auto gamma = Global<float>(gammaAt, C), beta = Global<float>(betaAt, C);
  Lines<half, R * C, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  constexpr int64_t Tile = R * C * 4;
  lines.pipe.InitBuffer(space, 2 * Tile + 2 * C * 4 + SpaceOfRows);
  auto d = space.GetWithOffset<float>(R * C, 0),
       t2 = space.GetWithOffset<float>(R * C, Tile),
       g = space.GetWithOffset<float>(C, 2 * Tile),
       b = space.GetWithOffset<float>(C, 2 * Tile + C * 4);
  RowSpace s(space, 2 * Tile + 2 * C * 4);
  In(g, gamma, 0, C);
  In(b, beta, 0, C);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  lines.Run(
      n * C, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        const int32_t rows = count / C;
        Cast(t2, t, RoundMode::CAST_NONE, count);
        Then();
        RowReduce<false>(s, t2, rows);
        Muls(s.column, s.column, 1.0f / C, rows);
        Then();
        Spread(s, rows);
        BY_ROW(Sub, d, t2, rows);
        Then();
        Mul(t2, d, d, count);
        Then();
        RowReduce<false>(s, t2, rows);
        Muls(s.column, s.column, 1.0f / C, rows);
        Then();
        Adds(s.column, s.column, eps, rows);
        Then();
        Rsqrt(s.column, s.column, rows);
        Then();
        Spread(s, rows);
        BY_ROW(Mul, d, d, rows);
        Then();
        WITH_ROW(Mul, d, d, g, rows);
        Then();
        WITH_ROW(Add, d, d, b, rows);
        Then();
        Cast(r, d, Nearest, count);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
