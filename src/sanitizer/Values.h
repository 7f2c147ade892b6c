//===- Values.h - Which bytes hold a value, and of what type ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_VALUES_H
#define BELAY_SANITIZER_VALUES_H

#include "abi/Atomics.h"
#include "model/core/Observer.h"
#include "sanitizer/ByteSet.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace belay::sim {

class Core;
class Device;

/// Global memory of a launch: inputs hold values, outputs and workspace do not
/// until someone writes them. Shared by all cores.
class GlobalValues {
public:
  explicit GlobalValues(const Device &D);

  /// Whether any byte of the range holds no value.
  bool undefined(uint64_t Begin, uint64_t End);
  uint64_t countUndefined(uint64_t Begin, uint64_t End);
  void assign(uint64_t Begin, uint64_t End, bool Undefined);
  /// Calls Visit(First, Last) for every run of bytes of a buffer without a
  /// value, counted from its start.
  template <typename Fn> void forEachGap(const void *Begin, Fn Visit) {
    if (Buffer *B = find(reinterpret_cast<uint64_t>(Begin)))
      B->Undefined.forEachRun(B->End - B->Begin, Visit);
  }
  /// The floating-point type that the host gave the buffer, if it said.
  const Elem *typeOf(uint64_t Address) const;

private:
  struct Buffer {
    uint64_t Begin, End;
    ByteSet Undefined;
    Elem Type;
    bool TypeKnown;
  };
  Buffer *find(uint64_t Address);

  std::mutex M;
  std::vector<Buffer> Buffers;
};

/// One core's local memories: which bytes hold no value, and which
/// floating-point type the others were written as.
class LocalValues {
public:
  explicit LocalValues(const Core &C) : Owner(C) {}

  ByteSet &undefined(Space S);
  /// One tag per block of 32 bytes: an Elem, or NoType.
  static constexpr uint8_t NoType = 0xff;
  std::vector<uint8_t> &types(Space S);

private:
  const Core &Owner;
  std::array<std::unique_ptr<ByteSet>, static_cast<size_t>(Space::Host)> Sets;
  std::array<std::vector<uint8_t>, static_cast<size_t>(Space::Host)> Tags;
};

} // namespace belay::sim

#endif // BELAY_SANITIZER_VALUES_H
