//===- Slices.h - Parts of a TBuf with sizes of their own -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_SLICES_H
#define BELAY_SANITIZER_SLICES_H

#include "abi/Buffers.h"
#include "model/core/Observer.h"

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
/// was written through the first is overwritten through the second, then read
/// through the first, and reaches global memory or the scalar unit; only that
/// is reported. Instructions that work on whole repeats may read such bytes
/// after the end of their data.
class Slices {
public:
  struct Slice {
    const uint8_t *Begin, *End;
    const BufferRecord *Buffer;
    const void *PC;
  };
  /// What was written through From, Over has overwritten.
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
  /// Bytes that an instruction reads through a slice whose own bytes they are
  /// no longer: their addresses, and how the last of them was lost.
  struct LostBytes {
    std::vector<uint64_t> Addresses;
    const Loss *How = nullptr;
  };
  /// Instructions come in the order of the program; what one reads comes before
  /// what it writes.
  LostBytes reads(const InstructionRecord &I);
  void writes(const InstructionRecord &I);

private:
  /// What the bytes of a buffer hold: the slice that they were written through
  /// last, and one whose own bytes they were before.
  struct Byte {
    const Slice *Last = nullptr, *Lost = nullptr;
  };
  const Slice *find(const void *End) const {
    auto It = ByEnd.find(static_cast<const uint8_t *>(End));
    return It == ByEnd.end() ? nullptr : &It->second;
  }
  static bool cross(const Slice &A, const Slice &B);
  void write(const InstructionRecord &I, const Slice *Through, Byte &B);
  /// Calls Visit(byte, its address, the slice) for what an operand touches.
  template <typename Fn> void forEachByte(const OperandRecord &O, Fn Visit);

  std::map<const uint8_t *, Slice> ByEnd;
  /// Only of buffers that have slices which cross.
  std::unordered_map<const BufferRecord *, std::vector<Byte>> Contents;
  std::unordered_map<const Slice *, Loss> Losses;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_SLICES_H
