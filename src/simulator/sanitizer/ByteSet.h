//===- ByteSet.h - A bit for every byte of a memory -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_SANITIZER_BYTESET_H
#define BELAY_SIMULATOR_SANITIZER_BYTESET_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace belay::sim {

/// A set of byte offsets, with operations on ranges of them.
class ByteSet {
public:
  ByteSet(uint64_t Bytes, bool Full)
      : Words((Bytes + 63) / 64, Full ? ~uint64_t(0) : 0) {}

  bool contains(uint64_t At) const { return Words[At / 64] >> (At % 64) & 1; }

  void assign(uint64_t Begin, uint64_t End, bool Value) {
    forEachWord(Begin, End, [&](uint64_t &Word, uint64_t Mask) {
      Word = Value ? Word | Mask : Word & ~Mask;
      return true;
    });
  }

  /// Whether any byte of [Begin, End) is in the set.
  bool intersects(uint64_t Begin, uint64_t End) const {
    bool Any = false;
    const_cast<ByteSet *>(this)->forEachWord(Begin, End,
                                             [&](uint64_t Word, uint64_t Mask) {
                                               Any = (Word & Mask) != 0;
                                               return !Any;
                                             });
    return Any;
  }

private:
  template <typename Fn>
  void forEachWord(uint64_t Begin, uint64_t End, Fn Visit) {
    for (uint64_t At = Begin; At < End;) {
      uint64_t Bit = At % 64, Count = std::min<uint64_t>(64 - Bit, End - At);
      uint64_t Mask =
          (Count == 64 ? ~uint64_t(0) : ((uint64_t(1) << Count) - 1)) << Bit;
      if (!Visit(Words[At / 64], Mask))
        return;
      At += Count;
    }
  }

  std::vector<uint64_t> Words;
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_SANITIZER_BYTESET_H
