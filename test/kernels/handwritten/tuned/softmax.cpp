// Softmax of each row of 1024.
#include "rows.h"

extern "C" __global__ __aicore__ void softmax(GM_ADDR xAt, GM_ADDR yAt,
                                              int64_t n) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, n * C), y = Global<float>(yAt, n * C);
  Lines<float, R * C, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, SpaceOfRows + 256);
  RowSpace s(space, 256);
  LocalTensor<float> one = space.GetWithOffset<float>(64, 0);
  Duplicate(one, 1.0f, 64);
  lines.Run(
      n * C, [&](auto &t, int64_t at, int64_t count) { In(t, x, at, count); },
      [&](auto &r, auto &t, int64_t count) {
        const int32_t rows = count / C;
        RowReduce<true>(s, t, rows);
        Spread(s, rows);
        BY_ROW(Sub, r, t, rows);
        Then();
        Exp(r, r, count);
        Then();
        RowReduce<false>(s, r, rows);
        Div(s.column, one, s.column, rows);
        Then();
        Spread(s, rows);
        BY_ROW(Mul, r, r, rows);
      },
      [&](auto &r, int64_t at, int64_t count) { Out(y, r, at, count); });
}
