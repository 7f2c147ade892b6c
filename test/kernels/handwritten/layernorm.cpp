// Layer normalisation: half in and out, float inside.
#include "rows.h"

// 2002 knows rounding to the nearest half by another name.
#if __NPU_ARCH__ == 2002
constexpr RoundMode Nearest = RoundMode::CAST_NONE;
#else
constexpr RoundMode Nearest = RoundMode::CAST_RINT;
#endif

extern "C" __global__ __aicore__ void layernorm(GM_ADDR xAt, GM_ADDR gammaAt,
                                                GM_ADDR betaAt, GM_ADDR yAt,
                                                int64_t n, int64_t, float eps) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t R = 4;
  auto x = Global<half>(xAt, n * C), y = Global<half>(yAt, n * C);
  auto gamma = Global<float>(gammaAt, C), beta = Global<float>(betaAt, C);
  Lines<half, R * C, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, 8192);
  auto work = space.GetWithOffset<float>(R * Lanes, 0),
       column = space.GetWithOffset<float>(64, 1024),
       blocks = space.GetWithOffset<float>(64, 1280),
       g = space.GetWithOffset<float>(C, 1536),
       b = space.GetWithOffset<float>(C, 2048),
       d = space.GetWithOffset<float>(R * C, 2560),
       s = space.GetWithOffset<float>(R * C, 4608);
  In(g, gamma, 0, C);
  In(b, beta, 0, C);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  lines.Run(
      n * C, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        const int64_t rows = count / C;
        const uint8_t n = static_cast<uint8_t>(rows);
        const int32_t few = static_cast<int32_t>(rows * 8);
        Cast(s, t, RoundMode::CAST_NONE, count);
        Then();
        RowReduce<false>(blocks, s, work, column, rows);
        Then();
        Muls(blocks, blocks, 1.0f / C, few);
        Then();
        for (int64_t c = 0; c < C; c += Lanes)
          Sub(d[c], s[c], blocks, uint64_t(Lanes), n, ByRow());
        Then();
        Mul(s, d, d, count);
        Then();
        RowReduce<false>(blocks, s, work, column, rows);
        Then();
        Muls(blocks, blocks, 1.0f / C, few);
        Then();
        Adds(blocks, blocks, eps, few);
        Then();
        Rsqrt(blocks, blocks, few);
        Then();
        for (int64_t c = 0; c < C; c += Lanes)
          Mul(d[c], d[c], blocks, uint64_t(Lanes), n, ByRow());
        Then();
        for (int64_t c = 0; c < C; c += Lanes)
          Mul(d[c], d[c], g[c], uint64_t(Lanes), n, WithRow());
        Then();
        for (int64_t c = 0; c < C; c += Lanes)
          Add(d[c], d[c], b[c], uint64_t(Lanes), n, WithRow());
        Then();
        Cast(r, d, Nearest, count);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
