// Prefix sums along rows, for multiples of 64 rows and 128 columns: 64 rows at
// a time lie in the 64 lanes of the vector unit, so a tile is transposed,
// summed up in seven steps that double what is summed, and transposed back.
// What a row has so far is added to its first element. Rows lie a block further
// apart than they are long, so that 16 of them are in 16 banks.
#include "../lines.h"

constexpr int64_t R = 64, C = 128, Block = 8;
constexpr int64_t Pitch = C + Block, Across = R + Block;

/// 16 rows of `repeats` blocks, as columns.
__aicore__ inline void Transpose16(const LocalTensor<float> &to,
                                   int64_t toPitch,
                                   const LocalTensor<float> &from,
                                   int64_t fromPitch, uint8_t repeats) {
  LocalTensor<float> dst[16], src[16];
  for (int64_t i = 0; i < 16; ++i) {
    src[i] = from[i * fromPitch];
    dst[i] = to[i / 2 * toPitch + i % 2 * Block];
  }
  TransDataTo5HDParams params;
  params.repeatTimes = repeats;
  params.srcRepStride = 1;
  params.dstRepStride = toPitch;
  TransDataTo5HD<float>(dst, src, params);
}

/// Each part of 2 * half lines: its first half's sum to all of its second half.
__aicore__ inline void Double(const LocalTensor<float> &w, int64_t half) {
  constexpr uint8_t Line = Across / Block;
  const int64_t parts = C / (2 * half);
  if (half <= parts && 2 * half * Line <= 255) {
    const uint8_t stride = 2 * half * Line, repeats = parts;
    for (int64_t j = 0; j < half; ++j)
      Add(w[(half + j) * Across], w[(half + j) * Across],
          w[(half - 1) * Across], uint64_t(R), repeats,
          {1, 1, 1, stride, stride, stride});
  } else {
    const uint8_t repeats = half;
    for (int64_t p = 0; p < parts; ++p) {
      const int64_t first = (2 * p + 1) * half;
      Add(w[first * Across], w[first * Across], w[(first - 1) * Across],
          uint64_t(R), repeats, {1, 1, 1, Line, Line, 0});
    }
  }
  Then();
}

extern "C" __global__ __aicore__ void cumsum(GM_ADDR xAt, GM_ADDR yAt,
                                             int64_t n, int64_t cols) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  auto x = Global<float>(xAt, n * cols), y = Global<float>(yAt, n * cols);
  Lines<float, R * Pitch, 1, 1> lines;
  TBuf<TPosition::VECCALC> space;
  lines.pipe.InitBuffer(space, (C * Across + R) * sizeof(float));
  auto w = space.GetWithOffset<float>(C * Across, 0),
       before = space.GetWithOffset<float>(R, C * Across * sizeof(float));
  for (int64_t row = GetBlockIdx() * R; row < n; row += GetBlockNum() * R) {
    Duplicate(before, 0.0f, R);
    for (int64_t col = 0; col < cols; col += C) {
      auto loading = lines.in.AllocTensor<float>();
      InRows(loading, x, row * cols + col, R, C, cols, Pitch);
      lines.in.EnQue(loading);
      auto t = lines.in.DeQue<float>();
      for (int64_t r = 0; r < R; r += 16)
        Transpose16(w[r], Across, t[r * Pitch], Pitch, C / Block);
      lines.in.FreeTensor(t);
      Then();
      Add(w, w, before, R);
      Then();
      for (int64_t half = 1; half < C; half *= 2)
        Double(w, half);
      Adds(before, w[(C - 1) * Across], 0.0f, R);
      auto made = lines.out.AllocTensor<float>();
      for (int64_t c = 0; c < C; c += 16)
        Transpose16(made[c], Pitch, w[c * Across], Across, R / Block);
      lines.out.EnQue(made);
      Then();
      auto saving = lines.out.DeQue<float>();
      OutRows(y, saving, row * cols + col, R, C, cols, Pitch);
      lines.out.FreeTensor(saving);
    }
  }
}
