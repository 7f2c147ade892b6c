//===- BlockHelpers.cpp - Copies of whole blocks -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 310P copies whole blocks of 32 bytes only. The scalar unit brings what is
// left of a row; out of the core, the row's last 32 bytes are copied once more
// as a block, or element by element where a row is shorter than that. To the
// outside these are instructions of MTE2 and MTE3: they begin by telling the
// scalar unit what their pipe waited for, and end by telling it back.
//
//===----------------------------------------------------------------------===//

#include "emit/HelperTexts.h"

using namespace belay::emit;

static const HelperText WholeBlocks[] = {
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
  DataCacheCleanAndInvalid<T, CacheLine::ENTIRE_DATA_CACHE>(src); // copies may have written
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
  DataCacheCleanAndInvalid<T, CacheLine::ENTIRE_DATA_CACHE>(src); // copies may have written
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
      for (int64_t c = 0; c < cols; ++c) {
        GlobalTensor<T> element = dst[r * stride + c];
        element.SetValue(0, src.GetValue(r * pitch + c));
        DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(element);
      }
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
    {Helper::AddOut, "AddOut",
     R"(// CopyOut that adds to what is there, atomically. The block that ends with a row adds
// nothing to what was added before it. Shorter rows are for a kernel on one core.
template <typename T>
__aicore__ inline void AddOut(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                              const LocalTensor<T> &tail, int64_t rows, int64_t cols,
                              int64_t stride, int64_t pitch) {
  constexpr int64_t block = 32 / sizeof(T);
  const int64_t whole = cols / block * block;
  SetAtomicAdd<T>();
  for (int64_t r = 0; whole > 0 && r < rows; ++r)
    DataCopy(dst[r * stride], src[r * pitch], static_cast<uint32_t>(whole));
  SetAtomicNone();
  if (whole == cols)
    return;
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t r = 0; r < rows; ++r) {
    if (whole == 0) {
      for (int64_t c = 0; c < cols; ++c) {
        GlobalTensor<T> element = dst[r * stride + c];
        DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(element);
        const float sum = static_cast<float>(element.GetValue(0)) +
                          static_cast<float>(src.GetValue(r * pitch + c));
        element.SetValue(0, static_cast<T>(sum));
        DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(element);
      }
      continue;
    }
    for (int64_t c = 0; c < block; ++c) {
      const bool added = cols - block + c < whole;
      tail.SetValue(c, added ? static_cast<T>(0) : src.GetValue(r * pitch + cols - block + c));
    }
    SetFlag<HardEvent::S_MTE3>(@);
    WaitFlag<HardEvent::S_MTE3>(@);
    PipeBarrier<PIPE_MTE3>();
    SetAtomicAdd<T>();
    DataCopy(dst[r * stride + cols - block], tail, static_cast<uint32_t>(block));
    SetAtomicNone();
    SetFlag<HardEvent::MTE3_S>(@);
    WaitFlag<HardEvent::MTE3_S>(@);
  }
  SetFlag<HardEvent::S_MTE3>(@);
  WaitFlag<HardEvent::S_MTE3>(@);
}
)"},
    {Helper::CopyOutStrided, "CopyOutStrided",
     R"(// Elements that are `inner` apart in memory, taken there by the scalar unit.
template <typename T>
__aicore__ inline void CopyOutStrided(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                      const LocalTensor<T> &, int64_t rows, int64_t cols,
                                      int64_t stride, int64_t pitch, int64_t inner) {
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
    {Helper::ScatterRows,
     "ScatterRows",
     ScatterCode,
     {"const LocalTensor<T> &tail, ", "tail, ", "CopyOut"}},
    {Helper::ScatterAddRows,
     "ScatterAddRows",
     ScatterCode,
     {"const LocalTensor<T> &tail, ", "tail, ", "AddOut"}},
};

llvm::ArrayRef<HelperText> belay::emit::wholeBlockHelpers() {
  return WholeBlocks;
}
