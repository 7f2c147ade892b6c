//===- Slices.h - Parts of a TBuf with sizes of their own -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_SANITIZER_SLICES_H
#define BELAY_SIMULATOR_SANITIZER_SLICES_H

#include "abi/Buffers.h"
#include "core/Observer.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace belay::sim {

/// The parts that one core asked its TBufs for, by GetWithOffset or Get(len). A
/// tensor that is indexed keeps the end of the slice that it came from, so a
/// slice is known by its end.
///
/// Two slices that share some of their bytes, and neither lies in the other,
/// are mostly a mistake in an offset or a size. It is one for certain when what
/// was written through the first is overwritten through the second and then
/// read through the first; only that is reported.
class Slices {
public:
  struct Slice {
    const uint8_t *Begin, *End;
    const BufferRecord *Buffer;
    const void *PC;
  };
  /// Through From something is read that Over has overwritten.
  struct Loss {
    const Slice *From, *Over;
    const void *OverwrittenAt;
    const char *Name;
    Pipe On;
  };

  void add(const void *Address, uint64_t Bytes, const BufferRecord &B,
           const void *PC);
  /// Where the slice that ends at End was asked for, or null.
  const void *takenAt(const void *End) const {
    const Slice *S = find(End);
    return S ? S->PC : nullptr;
  }
  /// An operand of an instruction, in the order of the program. True if what it
  /// reads is lost.
  bool access(const InstructionRecord &I, const OperandRecord &O, Loss &L);

private:
  /// What the bytes of a buffer hold: the slice that they were written through
  /// last, and one whose own bytes they were before.
  struct Byte {
    const Slice *Last = nullptr, *Lost = nullptr;
  };
  struct Overwrite {
    const Slice *Over;
    const void *PC;
    const char *Name;
    Pipe On;
  };

  const Slice *find(const void *End) const {
    auto It = ByEnd.find(static_cast<const uint8_t *>(End));
    return It == ByEnd.end() ? nullptr : &It->second;
  }
  static bool cross(const Slice &A, const Slice &B);
  void write(const InstructionRecord &I, const Slice *Through, Byte &B);

  std::map<const uint8_t *, Slice> ByEnd;
  /// Only of buffers that have slices which cross.
  std::unordered_map<const BufferRecord *, std::vector<Byte>> Contents;
  std::unordered_map<const Slice *, Overwrite> Overwrites;
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_SANITIZER_SLICES_H
