// Rows as columns, 64 by 64 at a time.
#include "lines.h"

extern "C" __global__ __aicore__ void transpose(GM_ADDR xAt, GM_ADDR yAt,
                                                int64_t xRows, int64_t xCols,
                                                int64_t, int64_t) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = 64, Block = 16;
  auto x = Global<half>(xAt, xRows * xCols),
       y = Global<half>(yAt, xRows * xCols);
  const int64_t across = (xRows + N - 1) / N, down = (xCols + N - 1) / N;
  auto rest = [](int64_t all, int64_t at) {
    return all - at < N ? all - at : N;
  };
  Lines<half, N * N, 1, 1> lines;
  lines.RunTiles(
      across * down,
      [&](auto &t, int64_t tile) {
        const int64_t r = tile % across * N, c = tile / across * N;
        InRows(t, x, r * xCols + c, rest(xRows, r), rest(xCols, c), xCols, N);
      },
      [&](auto &made, auto &t, int64_t) {
        for (int64_t r = 0; r < N; r += Block) {
          LocalTensor<half> dst[Block], src[Block];
          for (int64_t i = 0; i < Block; ++i) {
            src[i] = t[(r + i) * N];
            dst[i] = made[i * N + r];
          }
          TransDataTo5HDParams params;
          params.repeatTimes = N / Block;
          params.srcRepStride = 1;
          params.dstRepStride = N;
          TransDataTo5HD<half>(dst, src, params);
        }
      },
      [&](auto &made, int64_t tile) {
        const int64_t r = tile % across * N, c = tile / across * N;
        OutRows(y, made, c * xRows + r, rest(xCols, c), rest(xRows, r), xRows,
                N);
      });
}
