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
    {Helper::CopyIn, "CopyIn",
     R"(// Rows of a window, `stride` elements apart, to rows that are `pitch` apart.
template <typename T>
__aicore__ inline void CopyIn(const LocalTensor<T> &dst, const GlobalTensor<T> &src, int64_t rows,
                              int64_t cols, int64_t stride, int64_t pitch) {
  constexpr int64_t most = 4095; // rows of one copy
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t gap = rows > 1 ? pitch * sizeof(T) / 32 - (bytes + 31) / 32 : 0;
  for (int64_t r = 0; cols > 0 && r < rows; r += most) {
    DataCopyExtParams window{static_cast<uint16_t>(rows - r < most ? rows - r : most), bytes,
                             static_cast<uint32_t>((stride - cols) * sizeof(T)), gap, 0};
    DataCopyPad(dst[r * pitch], src[r * stride], window,
                DataCopyPadExtParams<T>{false, 0, 0, 0});
  }
}
)"},
    {Helper::CopyInPadded, "CopyInPadded",
     R"(// The same; the rest of each row's last block is `pad`.
template <typename T>
__aicore__ inline void CopyInPadded(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                    int64_t rows, int64_t cols, int64_t stride, int64_t pitch,
                                    T pad) {
  constexpr int64_t block = 32 / sizeof(T), most = 4095; // rows of one copy
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t gap = rows > 1 ? pitch * sizeof(T) / 32 - (bytes + 31) / 32 : 0;
  const uint8_t missing = (block - cols % block) % block;
  for (int64_t r = 0; cols > 0 && r < rows; r += most) {
    DataCopyExtParams window{static_cast<uint16_t>(rows - r < most ? rows - r : most), bytes,
                             static_cast<uint32_t>((stride - cols) * sizeof(T)), gap, 0};
    DataCopyPad(dst[r * pitch], src[r * stride], window,
                DataCopyPadExtParams<T>{true, 0, missing, pad});
  }
}
)"},
    {Helper::CopyOut, "CopyOut",
     R"(// The opposite of CopyIn.
template <typename T>
__aicore__ inline void CopyOut(const GlobalTensor<T> &dst, const LocalTensor<T> &src, int64_t rows,
                               int64_t cols, int64_t stride, int64_t pitch) {
  constexpr int64_t most = 4095; // rows of one copy
  const uint32_t bytes = cols * sizeof(T);
  const uint32_t gap = rows > 1 ? pitch * sizeof(T) / 32 - (bytes + 31) / 32 : 0;
  for (int64_t r = 0; cols > 0 && r < rows; r += most) {
    DataCopyExtParams window{static_cast<uint16_t>(rows - r < most ? rows - r : most), bytes, gap,
                             static_cast<uint32_t>((stride - cols) * sizeof(T)), 0};
    DataCopyPad(dst[r * stride], src[r * pitch], window);
  }
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
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      dst.SetValue(r * pitch + c, src.GetValue(r * stride + c * inner));
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::CopyOutStrided, "CopyOutStrided",
     R"(// Elements that are `inner` apart in memory. The scalar unit puts some of them apart, in a
// block each, and one copy takes these to their places.
template <typename T>
__aicore__ inline void CopyOutStrided(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                                      const LocalTensor<T> &apart, int64_t rows, int64_t cols,
                                      int64_t stride, int64_t pitch, int64_t inner) {
  constexpr int64_t block = 32 / sizeof(T), most = 8;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; c += most) {
      const int64_t now = cols - c < most ? cols - c : most;
      SetFlag<HardEvent::MTE3_S>(@);
      WaitFlag<HardEvent::MTE3_S>(@);
      for (int64_t k = 0; k < now; ++k)
        apart.SetValue(k * block, src.GetValue(r * pitch + c + k));
      SetFlag<HardEvent::S_MTE3>(@);
      WaitFlag<HardEvent::S_MTE3>(@);
      DataCopyExtParams elements{static_cast<uint16_t>(now), sizeof(T), 0,
                                 static_cast<uint32_t>((inner - 1) * sizeof(T)), 0};
      DataCopyPad(dst[r * stride + c * inner], apart, elements);
    }
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
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = PlaceOf<policy>(indices.GetValue(i), size);
    if (place >= 0)
      dst.SetValue(i, src.GetValue(place));
  }
  SetFlag<HardEvent::S_MTE2>(@);
  WaitFlag<HardEvent::S_MTE2>(@);
}
)"},
    {Helper::ScatterRows, "ScatterRows", ScatterCode, {"", "", "CopyOut"}},
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
