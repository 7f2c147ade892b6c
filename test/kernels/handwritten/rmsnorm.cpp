// Root mean square normalisation.
#include "rows.h"

extern "C" __global__ __aicore__ void rmsnorm(GM_ADDR xAt, GM_ADDR gammaAt,
                                              GM_ADDR yAt, int64_t n, int64_t,
                                              float eps) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t R = 4;
  auto x = Global<float>(xAt, n * C), y = Global<float>(yAt, n * C),
       gamma = Global<float>(gammaAt, C);
  Lines<float, R * C, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, 4096);
  auto work = space.GetWithOffset<float>(R * Lanes, 0),
       column = space.GetWithOffset<float>(64, 2048),
       blocks = space.GetWithOffset<float>(64, 2304),
       g = space.GetWithOffset<float>(C, 2560);
  In(g, gamma, 0, C);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  lines.Run(
      n * C, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        const int64_t rows = count / C;
        const uint8_t n = static_cast<uint8_t>(rows);
        Mul(r, t, t, count);
        Then();
        RowReduce<false>(blocks, r, work, column, rows);
        Then();
        Muls(blocks, blocks, 1.0f / C, int32_t(rows * 8));
        Then();
        Adds(blocks, blocks, eps, int32_t(rows * 8));
        Then();
        Rsqrt(blocks, blocks, int32_t(rows * 8));
        Then();
        for (int64_t c = 0; c < C; c += Lanes)
          Mul(r[c], t[c], blocks, uint64_t(Lanes), n, ByRow());
        Then();
        for (int64_t c = 0; c < C; c += Lanes)
          Mul(r[c], r[c], g[c], uint64_t(Lanes), n, WithRow());
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
