// Rows of 1024 floats, ROWS at a time. A reduction makes one element of each
// block, twice, and one of each row of what is left; a block of eight equal
// elements for each row meets all of that row.
#ifndef BELAY_TEST_HANDWRITTEN_TUNED_ROWS_H
#define BELAY_TEST_HANDWRITTEN_TUNED_ROWS_H

#include "../lines.h"

#ifndef ROWS
#define ROWS 8
#endif

constexpr int64_t C = 1024, Lanes = 64, R = ROWS, Repeats = C / Lanes;
static_assert(R * Repeats <= 255);

/// What reductions need: C / 8 and C / 64 elements for each row, a column, and
/// a block for each row.
constexpr int64_t SpaceOfRows = (R * C / 8 + R * C / 64 + 128 + R * 8) * 4;

struct RowSpace {
  LocalTensor<float> first, second, column, blocks;
  __aicore__ inline RowSpace(TBuf<TPosition::VECCALC> &space, uint32_t at) {
    auto take = [&](int64_t n) {
      LocalTensor<float> t = space.GetWithOffset<float>(n, at);
      at += n * 4;
      return t;
    };
    first = take(R * C / 8);
    second = take(R * C / 64);
    column = take(64);
    blocks = take(R * 8);
  }
};

/// One number for each row, in s.column.
template <bool IsMax>
__aicore__ inline void RowReduce(RowSpace &s, const LocalTensor<float> &t,
                                 int32_t rows) {
  auto blocks = [&](auto &dst, auto &src, int32_t repeats) {
    if constexpr (IsMax)
      BlockReduceMax(dst, src, repeats, Lanes, 1, 1, 8);
    else
      BlockReduceSum(dst, src, repeats, Lanes, 1, 1, 8);
    Then();
  };
  blocks(s.first, t, rows * int32_t(Repeats));
  blocks(s.second, s.first, rows * int32_t(Repeats / 8));
  if constexpr (!IsMax)
    WholeReduceSum(s.column, s.second, Repeats, rows, 1, 1, Repeats / 8);
#if __NPU_ARCH__ == 2002 // which leaves places beside maxima
  else {
    uint64_t kept = 0;
    WholeReduceMax(s.first, s.second, Repeats, rows, 1, 1, Repeats / 8);
    Then();
    GatherMask(s.column, s.first, 1, true, static_cast<uint32_t>(rows * 2),
               {1, 1, 8, 8}, kept);
  }
#else
  else
    WholeReduceMax(s.column, s.second, Repeats, rows, 1, 1, Repeats / 8,
                   ReduceOrder::ORDER_ONLY_VALUE);
#endif
  Then();
}

__aicore__ inline void Spread(RowSpace &s, int32_t rows) {
  Brcb(s.blocks, s.column, static_cast<uint8_t>((rows + 7) / 8), {1, 8});
  Then();
}

/// Each row with its own block: an instruction for each row.
#define BY_ROW(Instruction, dst, src, rows)                                    \
  for (int64_t row = 0; row < (rows); ++row)                                   \
  Instruction((dst)[row * C], (src)[row * C], s.blocks[row * 8],               \
              uint64_t(Lanes), uint8_t(Repeats), {1, 1, 0, 8, 8, 0})
/// Each row with the same row.
#define WITH_ROW(Instruction, dst, src, other, rows)                           \
  for (int64_t row = 0; row < (rows); ++row)                                   \
  Instruction((dst)[row * C], (src)[row * C], other, uint64_t(Lanes),          \
              uint8_t(Repeats), {1, 1, 1, 8, 8, 8})

#endif // BELAY_TEST_HANDWRITTEN_TUNED_ROWS_H
