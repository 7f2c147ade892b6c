//===- CopyHelpers.cpp - Copies, and what all kernels share --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where no instruction does it, the scalar unit moves single elements. To the
// outside, these too are instructions of one pipe.
//
//===----------------------------------------------------------------------===//

#include "emit/HelperTexts.h"

using namespace belay::emit;

const char belay::emit::ScatterCode[] =
    R"(// To rows that indices name; equal indices one after the other.
template <BadIndex policy, typename T, typename I>
__aicore__ inline void $0(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                          const LocalTensor<I> &indices, $1int64_t count, int64_t size,
                          int64_t cols, int64_t stride, int64_t pitch) {
  SetFlag<HardEvent::MTE3_S>(@);
  WaitFlag<HardEvent::MTE3_S>(@);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place < 0)
      continue;
    $3(dst[place * stride], src[i * pitch], $21, cols, cols, cols);
    PipeBarrier<PIPE_MTE3>();
  }
}
)";
static const HelperText General[] = {
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
    {Helper::Guard, "BELAY_GUARD",
     R"(// Ends the kernel where something does not hold that could not be proven, before it can
// do harm. On the device the launch fails; the simulator says what it was.
#ifdef BELAY_SIMULATOR
#define BELAY_GUARD(holds, id, property) \
  if (!(holds))                          \
  belay_sim_guard(id, property)
#else
#define BELAY_GUARD(holds, id, property) \
  if (!(holds))                          \
  Trap()
#endif
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
  BELAY_GUARD(policy == BadIndex::skip, "gm-out-of-bounds", "0 <= index && index < size");
  return -1;
}
)"},
    {Helper::CopyInStrided, "CopyInStrided",
     R"(// Elements that are `inner` apart in memory, brought by the scalar unit.
template <typename T>
__aicore__ inline void CopyInStrided(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                     int64_t rows, int64_t cols, int64_t stride, int64_t pitch,
                                     int64_t inner) {
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  DataCacheCleanAndInvalid<T, CacheLine::ENTIRE_DATA_CACHE>(src); // copies may have written
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      dst.SetValue(r * pitch + c, src.GetValue(r * stride + c * inner));
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::GatherRows, "GatherRows",
     R"(// Rows that indices name.
template <BadIndex policy, typename T, typename I>
__aicore__ inline void GatherRows(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                  const LocalTensor<I> &indices, int64_t count, int64_t size,
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
template <BadIndex policy, typename T, typename I>
__aicore__ inline void GatherElements(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                      const LocalTensor<I> &indices, int64_t count,
                                      int64_t size) {
  SetFlag<HardEvent::MTE2_S>(@);
  WaitFlag<HardEvent::MTE2_S>(@);
  DataCacheCleanAndInvalid<T, CacheLine::ENTIRE_DATA_CACHE>(src); // copies may have written
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place >= 0)
      dst.SetValue(i, src.GetValue(place));
  }
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::ScatterElements, "ScatterElements",
     R"(// Elements that indices name.
template <BadIndex policy, typename T, typename I>
__aicore__ inline void ScatterElements(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                       const LocalTensor<I> &indices, int64_t count,
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
};

llvm::ArrayRef<HelperText> belay::emit::copyHelpers() { return General; }
