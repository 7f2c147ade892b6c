//===- Helpers.cpp - Functions that emitted code brings along -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Helpers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace belay;
using namespace belay::emit;

namespace {

/// A function as text. `@` stands for the event that is kept for it.
struct Text {
  Helper Which;
  const char *Name;
  const char *Code;
};

} // namespace

#define BELAY_TEMPLATE "template <typename T>\n__aicore__ inline void "

static constexpr Text Always[] = {
    {Helper::CeilDiv, "CeilDiv",
     R"(__aicore__ inline int64_t CeilDiv(int64_t a, int64_t b) {
  return a / b + ((a % b != 0) && ((a < 0) == (b < 0)) ? 1 : 0);
}
)"},
    {Helper::FloorDiv, "FloorDiv",
     R"(__aicore__ inline int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}
)"},
    {Helper::CopyIn, "CopyIn",
     R"(// Rows of a window, `stride` elements apart, to rows that are `pitch` apart.
template <typename T>
__aicore__ inline void CopyIn(const LocalTensor<T> &dst, const GlobalTensor<T> &src, int64_t rows,
                              int64_t cols, int64_t stride, int64_t pitch) {
  if (rows <= 0 || cols <= 0)
    return;
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t gap = rows > 1 ? pitch * sizeof(T) / 32 - (bytes + 31) / 32 : 0;
  DataCopyExtParams window{static_cast<uint16_t>(rows), bytes,
                           static_cast<uint32_t>((stride - cols) * sizeof(T)), gap, 0};
  DataCopyPad(dst, src, window, DataCopyPadExtParams<T>{false, 0, 0, 0});
}
)"},
    {Helper::CopyInPadded, "CopyInPadded",
     R"(// The same; the rest of each row's last block is `pad`.
template <typename T>
__aicore__ inline void CopyInPadded(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                    int64_t rows, int64_t cols, int64_t stride, int64_t pitch,
                                    T pad) {
  if (rows <= 0 || cols <= 0)
    return;
  constexpr int64_t block = 32 / sizeof(T);
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t gap = rows > 1 ? pitch * sizeof(T) / 32 - (bytes + 31) / 32 : 0;
  DataCopyExtParams window{static_cast<uint16_t>(rows), bytes,
                           static_cast<uint32_t>((stride - cols) * sizeof(T)), gap, 0};
  const uint8_t missing = (block - cols % block) % block;
  DataCopyPad(dst, src, window, DataCopyPadExtParams<T>{true, 0, missing, pad});
}
)"},
    {Helper::CopyOut, "CopyOut",
     R"(// The opposite of CopyIn.
template <typename T>
__aicore__ inline void CopyOut(const GlobalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                               int64_t cols, int64_t stride, int64_t pitch) {
  if (rows <= 0 || cols <= 0)
    return;
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t gap = rows > 1 ? pitch * sizeof(T) / 32 - (bytes + 31) / 32 : 0;
  DataCopyExtParams window{static_cast<uint16_t>(rows), bytes, gap,
                           static_cast<uint32_t>((stride - cols) * sizeof(T)), 0};
  DataCopyPad(dst, src, window);
}
)"},
};

/// 310P copies whole blocks of 32 bytes only. The scalar unit brings what is
/// left of a row; out of the core, the row's last 32 bytes are copied once more
/// as a block, or element by element where a row is shorter than that. To the
/// outside these are instructions of MTE2 and MTE3: they begin by telling the
/// scalar unit what their pipe waited for, and end by telling it back.
static constexpr Text WholeBlocks[] = {
    {Helper::CopyIn, "CopyIn",
     R"(// Rows of a window, `stride` elements apart, to rows that are `pitch` apart. Whole
// blocks of 32 bytes are copied; the scalar unit brings the rest.
template <typename T>
__aicore__ inline void CopyIn(const LocalTensor<T> &dst, const GlobalTensor<T> &src, int64_t rows,
                              int64_t cols, int64_t stride, int64_t pitch) {
  constexpr int64_t block = 32 / sizeof(T);
  const int64_t whole = cols / block * block;
  for (int64_t r = 0; whole > 0 && r < rows; ++r)
    DataCopy(dst[r * pitch], src[r * stride], static_cast<uint32_t>(whole));
  if (whole == cols)
    return;
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = whole; c < cols; ++c)
      dst.SetValue(r * pitch + c, src.GetValue(r * stride + c));
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::CopyInPadded, "CopyInPadded",
     R"(// The same; the rest of each row's last block is `pad`.
template <typename T>
__aicore__ inline void CopyInPadded(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                    int64_t rows, int64_t cols, int64_t stride, int64_t pitch,
                                    T pad) {
  constexpr int64_t block = 32 / sizeof(T);
  const int64_t whole = cols / block * block;
  for (int64_t r = 0; whole > 0 && r < rows; ++r)
    DataCopy(dst[r * pitch], src[r * stride], static_cast<uint32_t>(whole));
  if (whole == cols)
    return;
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = whole; c < whole + block; ++c)
      dst.SetValue(r * pitch + c, c < cols ? src.GetValue(r * stride + c) : pad);
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::CopyOut, "CopyOut",
     R"(// The opposite of CopyIn. A row's last 32 bytes are copied once more as a block that
// ends where the row ends; `tail` is space for it. Shorter rows go element by element.
template <typename T>
__aicore__ inline void CopyOut(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                               const LocalTensor<T> &tail, int64_t rows, int64_t cols,
                               int64_t stride, int64_t pitch) {
  constexpr int64_t block = 32 / sizeof(T);
  const int64_t whole = cols / block * block;
  for (int64_t r = 0; whole > 0 && r < rows; ++r)
    DataCopy(dst[r * stride], src[r * pitch], static_cast<uint32_t>(whole));
  if (whole == cols)
    return;
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t r = 0; r < rows; ++r) {
    if (whole == 0) {
      for (int64_t c = 0; c < cols; ++c)
        dst.SetValue(r * stride + c, src.GetValue(r * pitch + c));
      continue;
    }
    for (int64_t c = 0; c < block; ++c)
      tail.SetValue(c, src.GetValue(r * pitch + cols - block + c));
    SetFlag<HardEvent::S_MTE3>(@);
    WaitFlag<HardEvent::S_MTE3>(@);
    PipeBarrier<PIPE_MTE3>();
    DataCopy(dst[r * stride + cols - block], tail, static_cast<uint32_t>(block));
    SetFlag<HardEvent::MTE3_S>(@);
    WaitFlag<HardEvent::MTE3_S>(@);
  }
  SetFlag<HardEvent::S_MTE3>(@);
  WaitFlag<HardEvent::S_MTE3>(@);
}
)"},
    {Helper::BroadcastColumn, "BroadcastColumn",
     R"(// Repeats each element of a column along its row.
template <typename T>
__aicore__ inline void BroadcastColumn(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                       const LocalTensor<T> &, int64_t rows, int64_t cols,
                                       int64_t pitch) {
  SetFlag<HardEvent::V_S>(@);
  WaitFlag<HardEvent::V_S>(@);
  for (int64_t r = 0; r < rows; ++r)
    Duplicate(dst[r * pitch], src.GetValue(r), static_cast<int32_t>(cols));
}
)"},
};

/// A loop over rows, each reduced by a function of AscendC.
#define BELAY_ROW_BY_ROW(Which, Reduce)                                        \
  {Helper::Which, #Which,                                                      \
   "// One result for each row.\n" BELAY_TEMPLATE #Which                       \
   "(const LocalTensor<T> &dst, const LocalTensor<T> &src,\n"                  \
   "    const LocalTensor<T> &work, int64_t rows, int64_t cols, int64_t "      \
   "pitch) {\n"                                                                \
   "  for (int64_t r = 0; r < rows; ++r) {\n"                                  \
   "    " Reduce                                                               \
   "(dst[r], src[r * pitch], work, static_cast<int32_t>(cols));\n"             \
   "    PipeBarrier<PIPE_V>();\n"                                              \
   "  }\n"                                                                     \
   "}\n"}

/// Where repeats can be as far apart as rows, all rows at once: first folded to
/// one repeat each, then that is reduced.
#define BELAY_FOLDED(Which, Combine, Whole)                                    \
  {Helper::Which, #Which,                                                      \
   "// One result for each row: rows are folded to 256 bytes, then those are " \
   "reduced.\n" BELAY_TEMPLATE #Which                                          \
   "(const LocalTensor<T> &dst, const LocalTensor<T> &src,\n"                  \
   "    const LocalTensor<T> &work, int64_t rows, int64_t cols, int64_t "      \
   "pitch) {\n"                                                                \
   "  constexpr int64_t lanes = 256 / sizeof(T), most = 248;\n"                \
   "  const uint8_t step = static_cast<uint8_t>(pitch * sizeof(T) / 32);\n"    \
   "  for (int64_t r = 0; cols > 0 && r < rows; r += most) {\n"                \
   "    const uint8_t now = static_cast<uint8_t>(rows - r < most ? rows - r "  \
   ": most);\n"                                                                \
   "    if (cols <= lanes) {\n"                                                \
   "      " Whole(                                                             \
       "src[r * pitch]", "cols",                                               \
       "step") ";\n"                                                           \
               "      continue;\n"                                             \
               "    }\n"                                                       \
               "    Copy(work[r * lanes], src[r * pitch], "                    \
               "static_cast<uint64_t>(lanes), "                                \
               "now, {1, 1, 8, step});\n"                                      \
               "    for (int64_t c = lanes; c < cols; c += lanes) {\n"         \
               "      const uint64_t part = cols - c < lanes ? cols - c : "    \
               "lanes;\n"                                                      \
               "      PipeBarrier<PIPE_V>();\n"                                \
               "      " Combine "(work[r * lanes], work[r * lanes], src[r * "  \
               "pitch + c], part, now,\n"                                      \
               "          {1, 1, 1, 8, 8, step});\n"                           \
               "    }\n"                                                       \
               "    PipeBarrier<PIPE_V>();\n"                                  \
               "    " Whole("work[r * lanes]", "lanes", "8") ";\n"             \
                                                             "  }\n"           \
                                                             "}\n"}
#define BELAY_WHOLE_SUM(From, Lanes, Step)                                     \
  "WholeReduceSum(dst[r], " From ", static_cast<int32_t>(" Lanes               \
  "), now, 1, 1, " Step ")"
#define BELAY_WHOLE_MAX(From, Lanes, Step)                                     \
  "WholeReduceMax(dst[r], " From ", static_cast<int32_t>(" Lanes               \
  "), now, 1, 1, " Step ", ReduceOrder::ORDER_ONLY_VALUE)"
#define BELAY_WHOLE_MIN(From, Lanes, Step)                                     \
  "WholeReduceMin(dst[r], " From ", static_cast<int32_t>(" Lanes               \
  "), now, 1, 1, " Step ", ReduceOrder::ORDER_ONLY_VALUE)"

#define BELAY_BY_COLUMN(Which, Combine)                                        \
  {Helper::Which, #Which,                                                      \
   "// One result for each column.\n" BELAY_TEMPLATE #Which                    \
   "(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,\n"    \
   "    int64_t cols, int64_t pitch) {\n"                                      \
   "  DataCopy(dst, src, static_cast<uint32_t>(pitch));\n"                     \
   "  for (int64_t r = 1; r < rows; ++r) {\n"                                  \
   "    PipeBarrier<PIPE_V>();\n"                                              \
   "    " Combine "(dst, dst, src[r * pitch], static_cast<int32_t>(cols));\n"  \
   "  }\n"                                                                     \
   "}\n"}

#define BELAY_WHERE(Which, Reduce)                                             \
  {Helper::Which, #Which,                                                      \
   "// The first place of each row's extreme element.\n" BELAY_TEMPLATE #Which \
   "(const LocalTensor<int32_t> &dst, const LocalTensor<T> &src,\n"            \
   "    const LocalTensor<T> &work, int64_t rows, int64_t cols, int64_t "      \
   "pitch) {\n"                                                                \
   "  for (int64_t r = 0; r < rows; ++r) {\n"                                  \
   "    " Reduce                                                               \
   "(work, src[r * pitch], work[64], static_cast<int32_t>(cols), true);\n"     \
   "    SetFlag<HardEvent::V_S>(@);\n"                                         \
   "    WaitFlag<HardEvent::V_S>(@);\n"                                        \
   "    if (sizeof(T) == 2)\n"                                                 \
   "      dst.SetValue(r, work.template "                                      \
   "ReinterpretCast<uint16_t>().GetValue(1));\n"                               \
   "    else\n"                                                                \
   "      dst.SetValue(r, work.template "                                      \
   "ReinterpretCast<int32_t>().GetValue(1));\n"                                \
   "  }\n"                                                                     \
   "  SetFlag<HardEvent::S_V>(@);\n"                                           \
   "  WaitFlag<HardEvent::S_V>(@);\n"                                          \
   "}\n"}

/// Where no instruction does it, the scalar unit moves single elements. To the
/// outside, these too are instructions of one pipe.
static constexpr Text Scalar[] = {
    {Helper::CopyInStrided, "CopyInStrided",
     R"(// Elements that are `inner` apart in memory, brought by the scalar unit.
template <typename T>
__aicore__ inline void CopyInStrided(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                     int64_t rows, int64_t cols, int64_t stride, int64_t pitch,
                                     int64_t inner) {
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      dst.SetValue(r * pitch + c, src.GetValue(r * stride + c * inner));
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::CopyOutStrided, "CopyOutStrided",
     R"(// Elements that are `inner` apart in memory, taken there by the scalar unit.
template <typename T>
__aicore__ inline void CopyOutStrided(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                      int64_t rows, int64_t cols, int64_t stride, int64_t pitch,
                                      int64_t inner) {
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      GlobalTensor<T> element = dst[r * stride + c * inner];
      element.SetValue(0, src.GetValue(r * pitch + c));
      DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(element);
    }
  SetFlag<HardEvent::S_MTE3>(@);
  WaitFlag<HardEvent::S_MTE3>(@);
}
)"},
    {Helper::PlaceOf, "PlaceOf",
     R"(enum class BadIndex { trap, clamp, skip, wrap };

// Where an index from data leads among `size` places; negative for nowhere.
template <BadIndex policy>
__aicore__ inline int64_t PlaceOf(int64_t index, int64_t size) {
  if (index >= 0 && index < size)
    return index;
  if (policy == BadIndex::clamp && size > 0)
    return index < 0 ? 0 : size - 1;
  if (policy == BadIndex::wrap && size > 0)
    return (index % size + size) % size;
  if (policy != BadIndex::skip)
    Trap();
  return -1;
}
)"},
    {Helper::GatherRows, "GatherRows",
     R"(// Rows that indices name.
template <BadIndex policy, typename T>
__aicore__ inline void GatherRows(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                  const LocalTensor<int32_t> &indices, int64_t count, int64_t size,
                                  int64_t cols, int64_t stride, int64_t pitch) {
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place >= 0)
      CopyIn(dst[i * pitch], src[place * stride], 1, cols, cols, cols);
  }
}
)"},
    {Helper::GatherElements, "GatherElements",
     R"(// Elements that indices name.
template <BadIndex policy, typename T>
__aicore__ inline void GatherElements(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                      const LocalTensor<int32_t> &indices, int64_t count,
                                      int64_t size) {
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place >= 0)
      dst.SetValue(i, src.GetValue(place));
  }
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::ScatterRows, "ScatterRows",
     R"(// Rows that indices name; equal indices one after the other.
template <BadIndex policy, typename T>
__aicore__ inline void ScatterRows(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                   const LocalTensor<int32_t> &indices, int64_t count,
                                   int64_t size, int64_t cols, int64_t stride, int64_t pitch) {
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place < 0)
      continue;
    CopyOut(dst[place * stride], src[i * pitch], 1, cols, cols, cols);
    PipeBarrier<PIPE_MTE3>();
  }
}
)"},
    {Helper::ScatterElements, "ScatterElements",
     R"(// Elements that indices name.
template <BadIndex policy, typename T>
__aicore__ inline void ScatterElements(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                       const LocalTensor<int32_t> &indices, int64_t count,
                                       int64_t size) {
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place < 0)
      continue;
    GlobalTensor<T> element = dst[place];
    element.SetValue(0, src.GetValue(i));
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(element);
  }
  SetFlag<HardEvent::S_MTE3>(@);
  WaitFlag<HardEvent::S_MTE3>(@);
}
)"},
    BELAY_WHERE(RowArgMax, "ReduceMax"),
    BELAY_WHERE(RowArgMin, "ReduceMin"),
    {Helper::RowScan, "RowScan",
     R"(// Running sums along each row, by the scalar unit.
template <typename T>
__aicore__ inline void RowScan(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                               int64_t cols, int64_t pitch) {
  SetFlag<HardEvent::V_S>(@);
  WaitFlag<HardEvent::V_S>(@);
  for (int64_t r = 0; r < rows; ++r) {
    T sum = 0;
    for (int64_t c = 0; c < cols; ++c) {
      sum = sum + src.GetValue(r * pitch + c);
      dst.SetValue(r * pitch + c, sum);
    }
  }
  SetFlag<HardEvent::S_V>(@);
  WaitFlag<HardEvent::S_V>(@);
}
)"},
    {Helper::ColScan, "ColScan",
     R"(// Running sums down each column.
template <typename T>
__aicore__ inline void ColScan(const LocalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                               int64_t cols, int64_t pitch) {
  DataCopy(dst, src, static_cast<uint32_t>(pitch));
  for (int64_t r = 1; r < rows; ++r) {
    PipeBarrier<PIPE_V>();
    Add(dst[r * pitch], dst[(r - 1) * pitch], src[r * pitch], static_cast<int32_t>(cols));
  }
}
)"},
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
};

/// For cores without DataCopyPad, before those for all.
static constexpr Text RowByRow[] = {
    BELAY_ROW_BY_ROW(RowSum, "ReduceSum"),
    BELAY_ROW_BY_ROW(RowMax, "ReduceMax"),
    BELAY_ROW_BY_ROW(RowMin, "ReduceMin"),
    {Helper::ScatterRows, "ScatterRows",
     R"(// Rows that indices name; equal indices one after the other.
template <BadIndex policy, typename T>
__aicore__ inline void ScatterRows(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                   const LocalTensor<int32_t> &indices,
                                   const LocalTensor<T> &tail, int64_t count, int64_t size,
                                   int64_t cols, int64_t stride, int64_t pitch) {
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place < 0)
      continue;
    CopyOut(dst[place * stride], src[i * pitch], tail, 1, cols, cols, cols);
    PipeBarrier<PIPE_MTE3>();
  }
}
)"},
};

static constexpr Text Vector[] = {
    BELAY_FOLDED(RowSum, "Add", BELAY_WHOLE_SUM),
    BELAY_FOLDED(RowMax, "Max", BELAY_WHOLE_MAX),
    BELAY_FOLDED(RowMin, "Min", BELAY_WHOLE_MIN),
    BELAY_ROW_BY_ROW(LongRowSum, "ReduceSum"),
    BELAY_ROW_BY_ROW(LongRowMax, "ReduceMax"),
    BELAY_ROW_BY_ROW(LongRowMin, "ReduceMin"),
    BELAY_BY_COLUMN(ColSum, "Add"),
    BELAY_BY_COLUMN(ColMax, "Max"),
    BELAY_BY_COLUMN(ColMin, "Min"),
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

unsigned belay::emit::internalEvent(const targets::Arch &Arch) {
  return Arch.userEventIds - 1;
}

static const Text &find(Helper Helper, const targets::Arch &Arch) {
  // Texts for one architecture come before those for all.
  SmallVector<ArrayRef<Text>> Tables = {Always, Scalar, Vector};
  if (!Arch.hasDataCopyPad)
    Tables = {WholeBlocks, RowByRow, Always, Scalar, Vector};
  for (ArrayRef<Text> Table : Tables)
    for (const Text &T : Table)
      if (T.Which == Helper)
        return T;
  llvm_unreachable("every helper has a text");
}

StringRef Helpers::use(Helper Helper) {
  Used.insert(Helper);
  return find(Helper, Arch).Name;
}

void Helpers::print(raw_ostream &Out) const {
  for (Helper Helper : Used) {
    StringRef Code = find(Helper, Arch).Code;
    while (!Code.empty()) {
      auto [Before, After] = Code.split('@');
      Out << Before;
      if (Before.size() < Code.size())
        Out << internalEvent(Arch);
      Code = After;
    }
    Out << "\n";
  }
}
