//===- Slices.h - Parts of a TBuf with sizes of their own -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_SANITIZER_SLICES_H
#define BELAY_SIMULATOR_SANITIZER_SLICES_H

#include "abi/Buffers.h"

#include <map>

namespace belay::sim {

/// The parts that one core asked its TBufs for, by GetWithOffset or Get(len). A
/// tensor that is indexed keeps the end of the slice that it came from, so a
/// slice is known by its end.
class Slices {
public:
  void add(const void *Address, uint64_t Bytes, const BufferRecord &B,
           const void *PC) {
    const auto *Begin = static_cast<const uint8_t *>(Address);
    ByEnd[Begin + Bytes] = {Begin, &B, PC};
  }
  /// Where the slice that ends at End was asked for, or null.
  const void *takenAt(const void *End) const {
    auto It = ByEnd.find(static_cast<const uint8_t *>(End));
    return It == ByEnd.end() ? nullptr : It->second.PC;
  }

private:
  struct Slice {
    const uint8_t *Begin;
    const BufferRecord *Buffer;
    const void *PC;
  };
  std::map<const uint8_t *, Slice> ByEnd;
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_SANITIZER_SLICES_H
