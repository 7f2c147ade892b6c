//===- RowHelpers.cpp - All rows at once ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that meet all rows of a tile in one go: what is the same for
// each row, or along it, is read again with a stride of 0. None of these
// functions needs a barrier inside.
//
//===----------------------------------------------------------------------===//

#include "emit/HelperTexts.h"

using namespace belay::emit;

/// $1 combines $2, with strides $3.
static constexpr const char *WithColumnCode =
    R"(// Each row with a number of its own, which fills 32 bytes of `column`.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                          const LocalTensor<T> &column, int64_t rows, int64_t cols,
                          int64_t pitch) {
  constexpr int64_t lanes = 256 / sizeof(T), block = 32 / sizeof(T), most = 248;
  const uint8_t step = static_cast<uint8_t>(pitch / block);
  for (int64_t r = 0; r < rows; r += most) {
    const uint8_t now = static_cast<uint8_t>(rows - r < most ? rows - r : most);
    for (int64_t c = 0; c < cols; c += lanes) {
      const uint64_t part = cols - c < lanes ? cols - c : lanes;
      $1(dst[r * pitch + c], $2, part, now, $3);
    }
  }
}
)";

static constexpr const char *WithRowCode = R"(// All rows with the same row.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                          const LocalTensor<T> &row, int64_t rows, int64_t cols, int64_t pitch) {
  constexpr int64_t lanes = 256 / sizeof(T), block = 32 / sizeof(T), most = 248;
  const uint8_t step = static_cast<uint8_t>(pitch / block);
  for (int64_t r = 0; r < rows; r += most) {
    const uint8_t now = static_cast<uint8_t>(rows - r < most ? rows - r : most);
    for (int64_t c = 0; c < cols; c += lanes) {
      const uint64_t part = cols - c < lanes ? cols - c : lanes;
      $1(dst[r * pitch + c], $2, part, now, $3);
    }
  }
}
)";

#define BELAY_WITH_COLUMN(Name, Function)                                      \
  {Helper::Name,                                                               \
   #Name,                                                                      \
   WithColumnCode,                                                             \
   {Function, "src[r * pitch + c], column[r * block]",                         \
    "{1, 1, 0, step, step, 1}"}}
#define BELAY_COLUMN_WITH(Name, Function)                                      \
  {Helper::Name,                                                               \
   #Name,                                                                      \
   WithColumnCode,                                                             \
   {Function, "column[r * block], src[r * pitch + c]",                         \
    "{1, 0, 1, step, 1, step}"}}
#define BELAY_WITH_ROW(Name, Function)                                         \
  {Helper::Name,                                                               \
   #Name,                                                                      \
   WithRowCode,                                                                \
   {Function, "src[r * pitch + c], row[c]", "{1, 1, 1, step, step, 0}"}}
#define BELAY_ROW_WITH(Name, Function)                                         \
  {Helper::Name,                                                               \
   #Name,                                                                      \
   WithRowCode,                                                                \
   {Function, "row[c], src[r * pitch + c]", "{1, 1, 1, step, 0, step}"}}

/// $1 reduces a repeat.
static constexpr const char *ExtremesCode =
    R"(// The extreme element of each row, and its first place beside it.
template <typename T>
__aicore__ inline void $0(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                          int64_t cols, int64_t pitch) {
  constexpr int64_t most = 248;
  const int32_t step = static_cast<int32_t>(pitch * sizeof(T) / 32);
  for (int64_t r = 0; cols > 0 && r < rows; r += most) {
    const int32_t now = static_cast<int32_t>(rows - r < most ? rows - r : most);
    $1(dst[r * 2], src[r * pitch], static_cast<int32_t>(cols), now, 1, 1, step);
  }
}
)";

static const HelperText Rows[] = {
    {Helper::Spread, "Spread",
     R"(// Fills 32 bytes with each element of a column.
template <typename T>
__aicore__ inline void Spread(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows) {
  constexpr int64_t block = 32 / sizeof(T), most = 248;
  for (int64_t r = 0; r < rows; r += most) {
    const int64_t now = rows - r < most ? rows - r : most;
    Brcb(dst[r * block], src[r], static_cast<uint8_t>((now + 7) / 8), {1, 8});
  }
}
)"},
    BELAY_WITH_COLUMN(AddColumn, "Add"),
    BELAY_WITH_COLUMN(SubColumn, "Sub"),
    BELAY_WITH_COLUMN(MulColumn, "Mul"),
    BELAY_WITH_COLUMN(DivColumn, "Div"),
    BELAY_WITH_COLUMN(MaxColumn, "Max"),
    BELAY_WITH_COLUMN(MinColumn, "Min"),
    BELAY_COLUMN_WITH(ColumnMinus, "Sub"),
    BELAY_COLUMN_WITH(ColumnOver, "Div"),
    BELAY_WITH_ROW(AddRow, "Add"),
    BELAY_WITH_ROW(SubRow, "Sub"),
    BELAY_WITH_ROW(MulRow, "Mul"),
    BELAY_WITH_ROW(DivRow, "Div"),
    BELAY_WITH_ROW(MaxRow, "Max"),
    BELAY_WITH_ROW(MinRow, "Min"),
    BELAY_ROW_WITH(RowMinus, "Sub"),
    BELAY_ROW_WITH(RowOver, "Div"),
    {Helper::RowExtremesMax, "RowLargest", ExtremesCode, {"WholeReduceMax"}},
    {Helper::RowExtremesMin, "RowSmallest", ExtremesCode, {"WholeReduceMin"}},
    {Helper::TurnBlocks, "TurnBlocks",
     R"(// Rows of 16 bits become columns, 16 by 16 at a time; up to 16 more are turned along.
template <typename T>
__aicore__ inline void TurnBlocks(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                                  int64_t cols, int64_t pitch, int64_t dstPitch) {
  const uint8_t repeats = static_cast<uint8_t>((cols + 15) / 16);
  for (int64_t r = 0; r < rows; r += 16) {
    LocalTensor<half> to[16], from[16];
    for (int64_t i = 0; i < 16; ++i) {
      from[i] = src[(r + i) * pitch].template ReinterpretCast<half>();
      to[i] = dst[i * dstPitch + r].template ReinterpretCast<half>();
    }
    TransDataTo5HDParams params;
    params.repeatTimes = repeats;
    params.srcRepStride = repeats > 1 ? 1 : 0;
    params.dstRepStride = repeats > 1 ? static_cast<uint16_t>(dstPitch) : 0;
    TransDataTo5HD<half>(to, from, params);
  }
}
)"},
    {Helper::Places, "Places",
     R"(// Every second word: the places from what stands beside them.
template <typename T>
__aicore__ inline void Places(const LocalTensor<int32_t> &dst, const LocalTensor<T> &src,
                              int64_t rows) {
  uint64_t kept = 0;
  if (rows > 0)
    GatherMask(dst, src.template ReinterpretCast<int32_t>(), 2, true,
               static_cast<uint32_t>(rows * 2), {1, 1, 8, 8}, kept);
}
)"},
};

llvm::ArrayRef<HelperText> belay::emit::rowHelpers() { return Rows; }
