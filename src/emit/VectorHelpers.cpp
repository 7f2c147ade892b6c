//===- VectorHelpers.cpp - Rows and columns by the vector unit -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/HelperTexts.h"

using namespace belay::emit;

/// Reduces rows one after the other by $1, a function of AscendC.
static constexpr const char *RowByRowCode = R"(// One result for each row.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                          const LocalTensor<T> &work, int64_t rows, int64_t cols, int64_t pitch) {
  for (int64_t r = 0; r < rows; ++r) {
    $1(dst[r], src[r * pitch], work, static_cast<int32_t>(cols));
    PipeBarrier<PIPE_V>();
  }
}
)";

/// Where repeats can be as far apart as rows, all rows at once: $1 combines, $2
/// reduces a repeat, $3 is what else that takes.
static constexpr const char *FoldCode =
    R"(// One result for each row: rows are folded to 256 bytes, then those are reduced.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                          const LocalTensor<T> &work, int64_t rows, int64_t cols, int64_t pitch) {
  constexpr int64_t lanes = 256 / sizeof(T), most = 248;
  const uint8_t step = static_cast<uint8_t>(pitch * sizeof(T) / 32);
  for (int64_t r = 0; cols > 0 && r < rows; r += most) {
    const uint8_t now = static_cast<uint8_t>(rows - r < most ? rows - r : most);
    if (cols <= lanes) {
      $2(dst[r], src[r * pitch], static_cast<int32_t>(cols), now, 1, 1, step$3);
      continue;
    }
    int64_t c = 2 * lanes;
    if (cols >= c) {
      $1(work[r * lanes], src[r * pitch], src[r * pitch + lanes], static_cast<uint64_t>(lanes), now,
         {1, 1, 1, 8, step, step});
    } else {
      Muls(work[r * lanes], src[r * pitch], static_cast<T>(1), static_cast<uint64_t>(lanes), now,
           {1, 1, 8, step});
      c = lanes;
    }
    for (; c < cols; c += lanes) {
      const uint64_t part = cols - c < lanes ? cols - c : lanes;
      PipeBarrier<PIPE_V>();
      $1(work[r * lanes], work[r * lanes], src[r * pitch + c], part, now, {1, 1, 1, 8, 8, step});
    }
    PipeBarrier<PIPE_V>();
    $2(dst[r], work[r * lanes], static_cast<int32_t>(lanes), now, 1, 1, 8$3);
  }
}
)";

static constexpr const char *ColumnCode = R"(// One result for each column.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                          int64_t cols, int64_t pitch) {
  DataCopy(dst, src, static_cast<uint32_t>(pitch));
  for (int64_t r = 1; r < rows; ++r) {
    PipeBarrier<PIPE_V>();
    $1(dst, dst, src[r * pitch], static_cast<int32_t>(cols));
  }
}
)";

static constexpr const char *WhereCode =
    R"(// The first place of each row's extreme element.
template <typename T>
__aicore__ inline void $0(const LocalTensor<int32_t> &dst, const LocalTensor<T> &src,
                          const LocalTensor<T> &work, int64_t rows, int64_t cols, int64_t pitch) {
  for (int64_t r = 0; r < rows; ++r) {
    $1(work, src[r * pitch], work[64], static_cast<int32_t>(cols), true);
    SetFlag<HardEvent::V_S>(@);
    WaitFlag<HardEvent::V_S>(@);
    if (sizeof(T) == 2)
      dst.SetValue(r, work.template ReinterpretCast<uint16_t>().GetValue(1));
    else
      dst.SetValue(r, work.template ReinterpretCast<int32_t>().GetValue(1));
  }
  SetFlag<HardEvent::S_V>(@);
  WaitFlag<HardEvent::S_V>(@);
}
)";

/// For what the vector unit does not reduce: $1 combines, $2 is what nothing
/// comes to.
static constexpr const char *ScalarCode =
    R"(// One result for each row, by the scalar unit.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                          int64_t cols, int64_t pitch) {
  SetFlag<HardEvent::V_S>(@);
  WaitFlag<HardEvent::V_S>(@);
  for (int64_t r = 0; r < rows; ++r) {
    T all = static_cast<T>($2);
    for (int64_t c = 0; c < cols; ++c) {
      const T now = src.GetValue(r * pitch + c);
      all = $1;
    }
    dst.SetValue(r, all);
  }
  SetFlag<HardEvent::S_V>(@);
  WaitFlag<HardEvent::S_V>(@);
}
)";

static constexpr const char *RowScanCode =
    R"(// Each element of a row with all before it, by the scalar unit.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                          int64_t cols, int64_t pitch) {
  SetFlag<HardEvent::V_S>(@);
  WaitFlag<HardEvent::V_S>(@);
  for (int64_t r = 0; r < rows; ++r) {
    T all = 0;
    for (int64_t c = 0; c < cols; ++c) {
      const T now = src.GetValue(r * pitch + c);
      all = c == 0 ? now : ($1);
      dst.SetValue(r * pitch + c, all);
    }
  }
  SetFlag<HardEvent::S_V>(@);
  WaitFlag<HardEvent::S_V>(@);
}
)";

static constexpr const char *ColScanCode =
    R"(// Each element of a column with all above it.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                          int64_t cols, int64_t pitch) {
  DataCopy(dst, src, static_cast<uint32_t>(pitch));
  for (int64_t r = 1; r < rows; ++r) {
    PipeBarrier<PIPE_V>();
    $1(dst[r * pitch], dst[(r - 1) * pitch], src[r * pitch], static_cast<int32_t>(cols));
  }
}
)";

#define BELAY_VALUE_ONLY ", ReduceOrder::ORDER_ONLY_VALUE"

static const HelperText Vector[] = {
    {Helper::RowSum, "RowSum", FoldCode, {"Add", "WholeReduceSum"}},
    {Helper::RowMax,
     "RowMax",
     FoldCode,
     {"Max", "WholeReduceMax", BELAY_VALUE_ONLY}},
    {Helper::RowMin,
     "RowMin",
     FoldCode,
     {"Min", "WholeReduceMin", BELAY_VALUE_ONLY}},
    {Helper::LongRowSum, "LongRowSum", RowByRowCode, {"ReduceSum"}},
    {Helper::LongRowMax, "LongRowMax", RowByRowCode, {"ReduceMax"}},
    {Helper::LongRowMin, "LongRowMin", RowByRowCode, {"ReduceMin"}},
    {Helper::ColSum, "ColSum", ColumnCode, {"Add"}},
    {Helper::ColMax, "ColMax", ColumnCode, {"Max"}},
    {Helper::ColMin, "ColMin", ColumnCode, {"Min"}},
    {Helper::ColProd, "ColProd", ColumnCode, {"Mul"}},
    {Helper::RowArgMax, "RowArgMax", WhereCode, {"ReduceMax"}},
    {Helper::RowArgMin, "RowArgMin", WhereCode, {"ReduceMin"}},
    {Helper::ScalarRowSum, "ScalarRowSum", ScalarCode, {"all + now", "0"}},
    {Helper::ScalarRowMax,
     "ScalarRowMax",
     ScalarCode,
     {"all > now ? all : now", "sizeof(T) == 2 ? -32768 : -2147483647 - 1"}},
    {Helper::ScalarRowMin,
     "ScalarRowMin",
     ScalarCode,
     {"all < now ? all : now", "sizeof(T) == 2 ? 32767 : 2147483647"}},
    {Helper::ScalarRowProd, "ScalarRowProd", ScalarCode, {"all * now", "1"}},
    {Helper::RowCumSum, "RowCumSum", RowScanCode, {"all + now"}},
    {Helper::RowCumMax, "RowCumMax", RowScanCode, {"all > now ? all : now"}},
    {Helper::RowCumMin, "RowCumMin", RowScanCode, {"all < now ? all : now"}},
    {Helper::RowCumProd, "RowCumProd", RowScanCode, {"all * now"}},
    {Helper::ColCumSum, "ColCumSum", ColScanCode, {"Add"}},
    {Helper::ColCumMax, "ColCumMax", ColScanCode, {"Max"}},
    {Helper::ColCumMin, "ColCumMin", ColScanCode, {"Min"}},
    {Helper::ColCumProd, "ColCumProd", ColScanCode, {"Mul"}},
    {Helper::Turn, "Turn",
     R"(// Rows become columns, by the scalar unit.
template <typename T>
__aicore__ inline void Turn(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                            int64_t cols, int64_t pitch, int64_t dstPitch) {
  SetFlag<HardEvent::V_S>(@);
  WaitFlag<HardEvent::V_S>(@);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      dst.SetValue(c * dstPitch + r, src.GetValue(r * pitch + c));
  SetFlag<HardEvent::S_V>(@);
  WaitFlag<HardEvent::S_V>(@);
}
)"},
    {Helper::BroadcastRow, "BroadcastRow",
     R"(// Repeats a row.
template <typename T>
__aicore__ inline void BroadcastRow(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                    int64_t rows, int64_t pitch) {
  for (int64_t r = 0; r < rows; ++r)
    DataCopy(dst[r * pitch], src, static_cast<uint32_t>(pitch));
}
)"},
    {Helper::BroadcastColumn, "BroadcastColumn",
     R"(// Repeats each element of a column along its row: first as a block, then the block.
template <typename T>
__aicore__ inline void BroadcastColumn(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                       const LocalTensor<T> &work, int64_t rows, int64_t cols,
                                       int64_t pitch) {
  constexpr int64_t block = 32 / sizeof(T), repeat = 256 / sizeof(T), most = 248;
  for (int64_t r = 0; r < rows; r += most) {
    const int64_t now = rows - r < most ? rows - r : most;
    Brcb(work[r * block], src[r], static_cast<uint8_t>((now + 7) / 8), {1, 8});
    PipeBarrier<PIPE_V>();
    for (int64_t c = 0; c < cols; c += repeat) {
      const uint64_t lanes = cols - c < repeat ? cols - c : repeat;
      Copy(dst[r * pitch + c], work[r * block], lanes, static_cast<uint8_t>(now),
           {1, 0, static_cast<uint16_t>(pitch / block), 1});
    }
  }
}
)"},
    {Helper::BroadcastElement, "BroadcastElement",
     R"(// Repeats one element.
template <typename T>
__aicore__ inline void BroadcastElement(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                        int64_t count) {
  SetFlag<HardEvent::V_S>(@);
  WaitFlag<HardEvent::V_S>(@);
  Duplicate(dst, src.GetValue(0), static_cast<int32_t>(count));
}
)"},
};

llvm::ArrayRef<HelperText> belay::emit::vectorHelpers() { return Vector; }
