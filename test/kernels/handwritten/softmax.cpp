// Softmax of each row.
#include "rows.h"

extern "C" __global__ __aicore__ void softmax(GM_ADDR xAt, GM_ADDR yAt,
                                              int64_t n, int64_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t R = 8;
  auto x = Global<float>(xAt, n * C), y = Global<float>(yAt, n * C);
  Lines<float, R * C, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, 4096);
  auto work = space.GetWithOffset<float>(R * Lanes, 0),
       column = space.GetWithOffset<float>(64, 2048),
       blocks = space.GetWithOffset<float>(64, 2304);
  lines.Run(
      n * C, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        const int64_t rows = count / C;
        const uint8_t n = static_cast<uint8_t>(rows);
        RowReduce<true>(blocks, t, work, column, rows);
        Then();
        Sub(r, t, blocks, uint64_t(Lanes), n, ByRow());
        Sub(r[Lanes], t[Lanes], blocks, uint64_t(Lanes), n, ByRow());
        Then();
        Exp(r, r, count);
        Then();
        RowReduce<false>(blocks, r, work, column, rows);
        Then();
        Div(r, r, blocks, uint64_t(Lanes), n, ByRow());
        Div(r[Lanes], r[Lanes], blocks, uint64_t(Lanes), n, ByRow());
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
