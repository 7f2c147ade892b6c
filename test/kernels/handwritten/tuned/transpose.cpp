// Rows as columns of halves, 128 by 128 at a time. Rows lie a block further
// apart than they are long, so that 16 of them are in 16 banks.
#include "../lines.h"

extern "C" __global__ __aicore__ void transpose(GM_ADDR xAt, GM_ADDR yAt,
                                                int64_t xRows, int64_t xCols) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  constexpr int64_t N = 128, Block = 16, Pitch = N + Block;
  auto x = Global<half>(xAt, xRows * xCols),
       y = Global<half>(yAt, xRows * xCols);
  const int64_t across = (xRows + N - 1) / N, down = (xCols + N - 1) / N;
  auto rest = [](int64_t all, int64_t at) {
    return all - at < N ? all - at : N;
  };
  Lines<half, N * Pitch, 1, 1> lines;
  lines.RunTiles(
      across * down,
      [&](auto &t, int64_t tile) {
        const int64_t r = tile % across * N, c = tile / across * N;
        InRows(t, x, r * xCols + c, rest(xRows, r), rest(xCols, c), xCols,
               Pitch);
      },
      [&](auto &made, auto &t, int64_t) {
        for (int64_t r = 0; r < N; r += Block) {
          LocalTensor<half> dst[Block], src[Block];
          for (int64_t i = 0; i < Block; ++i) {
            src[i] = t[(r + i) * Pitch];
            dst[i] = made[i * Pitch + r];
          }
          TransDataTo5HDParams params;
          params.repeatTimes = N / Block;
          params.srcRepStride = 1;
          params.dstRepStride = Pitch;
          TransDataTo5HD<half>(dst, src, params);
        }
      },
      [&](auto &made, int64_t tile) {
        const int64_t r = tile % across * N, c = tile / across * N;
        OutRows(y, made, c * xRows + r, rest(xCols, c), rest(xRows, r), xRows,
                Pitch);
      });
}
