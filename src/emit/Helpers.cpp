//===- Helpers.cpp - Functions that emitted code brings along -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Helpers.h"

#include "llvm/ADT/STLExtras.h"

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

#define BELAY_REDUCE(Name, Reduce, Combine)                                    \
  {Helper::Row##Name, "Row" #Name,                                             \
   "// One result for each row.\n" BELAY_TEMPLATE "Row" #Name                  \
   "(const LocalTensor<T> &dst, const LocalTensor<T> &src,\n"                  \
   "                              const LocalTensor<T> &work, int64_t rows, "  \
   "int64_t cols, int64_t pitch) {\n"                                          \
   "  for (int64_t r = 0; r < rows; ++r) {\n"                                  \
   "    " Reduce                                                               \
   "(dst[r], src[r * pitch], work, static_cast<int32_t>(cols));\n"             \
   "    PipeBarrier<PIPE_V>();\n"                                              \
   "  }\n"                                                                     \
   "}\n"},                                                                     \
      {Helper::Col##Name, "Col" #Name,                                         \
       "// One result for each column.\n" BELAY_TEMPLATE "Col" #Name           \
       "(const LocalTensor<T> &dst, const LocalTensor<T> &src, "               \
       "int64_t rows,\n"                                                       \
       "                              int64_t cols, int64_t pitch) {\n"        \
       "  DataCopy(dst, src, static_cast<uint32_t>(pitch));\n"                 \
       "  for (int64_t r = 1; r < rows; ++r) {\n"                              \
       "    PipeBarrier<PIPE_V>();\n"                                          \
       "    " Combine                                                          \
       "(dst, dst, src[r * pitch], static_cast<int32_t>(cols));\n"             \
       "  }\n"                                                                 \
       "}\n"}

static constexpr Text Vector[] = {
    BELAY_REDUCE(Sum, "ReduceSum", "Add"),
    BELAY_REDUCE(Max, "ReduceMax", "Max"),
    BELAY_REDUCE(Min, "ReduceMin", "Min"),
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
  // The first that fits: texts for one architecture come before the others.
  if (!Arch.hasDataCopyPad)
    for (const Text &T : WholeBlocks)
      if (T.Which == Helper)
        return T;
  for (const Text &T : Always)
    if (T.Which == Helper)
      return T;
  for (const Text &T : Vector)
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
