// Rows of 128 floats, R at a time, one result or one operand for each row. No
// column is ever spread out: a block of eight equal elements for each row, with
// a stride of 0 between blocks, meets all of its row.
#ifndef BELAY_TEST_HANDWRITTEN_ROWS_H
#define BELAY_TEST_HANDWRITTEN_ROWS_H

#include "lines.h"

constexpr int64_t C = 128, Lanes = 64;
constexpr uint8_t RowBlocks = C * sizeof(float) / 32;

/// One number for each row, as a block of eight.
template <bool IsMax>
__aicore__ inline void
RowReduce(const LocalTensor<float> &blocks, const LocalTensor<float> &t,
          const LocalTensor<float> &work, const LocalTensor<float> &column,
          int64_t rows) {
  const uint8_t n = static_cast<uint8_t>(rows);
  const BinaryRepeatParams halves{1, 1, 1, 8, RowBlocks, RowBlocks};
  if constexpr (IsMax)
    Max(work, t, t[Lanes], uint64_t(Lanes), n, halves);
  else
    Add(work, t, t[Lanes], uint64_t(Lanes), n, halves);
  Then();
#if __NPU_ARCH__ == 2002 // which leaves places beside maxima
  uint64_t kept = 0;
  if constexpr (IsMax) {
    WholeReduceMax(blocks, work, Lanes, n, 1, 1, 8);
    Then();
    GatherMask(column, blocks, 1, true, static_cast<uint32_t>(rows * 2),
               {1, 1, 8, 8}, kept);
  }
#else
  if constexpr (IsMax)
    WholeReduceMax(column, work, Lanes, n, 1, 1, 8,
                   ReduceOrder::ORDER_ONLY_VALUE);
#endif
  if constexpr (!IsMax)
    WholeReduceSum(column, work, Lanes, n, 1, 1, 8);
  Then();
  Brcb(blocks, column, static_cast<uint8_t>((rows + 7) / 8), {1, 8});
}

/// Each row with its own number.
__aicore__ inline BinaryRepeatParams ByRow() {
  return {1, 1, 0, RowBlocks, RowBlocks, 1};
}
/// All rows with one row.
__aicore__ inline BinaryRepeatParams WithRow() {
  return {1, 1, 1, RowBlocks, RowBlocks, 0};
}

#endif // BELAY_TEST_HANDWRITTEN_ROWS_H
