//===- ListChecks.h - Rules that gathers, sorts and transposes share -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_LISTCHECKS_H
#define BELAY_MODEL_INSTRUCTIONS_LISTCHECKS_H

#include "model/core/Issue.h"

#include <vector>

namespace belay::sim {

/// Refuses an instruction that the architecture does not have.
[[noreturn]] inline void unsupportedApi(Issue &I, const char *Hint) {
  fail("unsupported-api", I.pc(), Hint, "%s does not exist on arch %u",
       I.name(), I.core().machine().Arch);
}

inline bool isOneOf(Elem T, std::initializer_list<Elem> List) {
  for (Elem E : List)
    if (E == T)
      return true;
  return false;
}

/// The unsigned type of the same size, for instructions that move bits.
inline Elem rawOf(Elem T) {
  switch (bytesOf(T)) {
  case 1:
    return Elem::U8;
  case 2:
    return Elem::U16;
  case 4:
    return Elem::U32;
  default:
    return Elem::U64;
  }
}

/// For operands whose first access is not at their start.
inline void checkAligned(Issue &I, const void *Address, uint32_t Alignment,
                         const char *What) {
  if (reinterpret_cast<uintptr_t>(Address) % Alignment)
    fail("misaligned-address", I.pc(),
         "start the tensor at a multiple of the alignment, or move the data "
         "first",
         "%s has its %s at %p, but it must be aligned to %u bytes", I.name(),
         What, Address, Alignment);
}

inline bool overlap(const void *Dst, uint64_t DstBytes, const void *Src,
                    uint64_t SrcBytes) {
  auto D = reinterpret_cast<uintptr_t>(Dst);
  auto S = reinterpret_cast<uintptr_t>(Src);
  return D < S + SrcBytes && S < D + DstBytes;
}

/// Offsets that were checked, at a place where the instruction's own results do
/// not reach them.
class CheckedOffsets {
public:
  CheckedOffsets(const uint32_t *Offsets, uint64_t Count, const void *Dst,
                 uint64_t DstBytes)
      : Offsets(Offsets) {
    if (!overlap(Dst, DstBytes, Offsets, Count * sizeof(*Offsets)))
      return;
    Copy.assign(Offsets, Offsets + Count);
    this->Offsets = Copy.data();
  }
  CheckedOffsets(const CheckedOffsets &) = delete;
  CheckedOffsets &operator=(const CheckedOffsets &) = delete;
  const uint32_t *data() const { return Offsets; }

private:
  const uint32_t *Offsets;
  std::vector<uint32_t> Copy;
};

/// For instructions whose result is undefined when operands share bytes.
inline void checkApart(Issue &I, const void *Dst, uint64_t DstBytes,
                       const void *Src, uint64_t SrcBytes) {
  const auto *D = static_cast<const uint8_t *>(Dst);
  const auto *S = static_cast<const uint8_t *>(Src);
  if (overlap(Dst, DstBytes, Src, SrcBytes))
    fail("operand-overlap", I.pc(), "write the result to another buffer",
         "%s writes %llu bytes that overlap the %llu bytes it reads: the "
         "destination starts %lld bytes after the source",
         I.name(), static_cast<unsigned long long>(DstBytes),
         static_cast<unsigned long long>(SrcBytes),
         static_cast<long long>(D - S));
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_LISTCHECKS_H
