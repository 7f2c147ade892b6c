//===- Functions.cpp - Values that others than instructions store ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector function keeps track of the values in its registers itself. It asks
// for those of the bytes that it loads, and tells those of what it stores. What
// another core of the block stores has values.
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

static constexpr uint64_t Block = 32; // of Roots, and of types

void Sanitizer::undefinedBytes(const void *Address, uint64_t Bytes,
                               uint8_t *Flags) {
  if (C.Memories.spaceOf(Address) == Space::Host) { // of threads
    auto Begin = reinterpret_cast<uint64_t>(Address);
    std::fill_n(Flags, Bytes, Shared.Values.undefined(Begin, Begin + Bytes));
    return;
  }
  auto At = static_cast<uint64_t>(static_cast<const uint8_t *>(Address) -
                                  C.Memories.base(Space::UB));
  const ByteSet &Set = Values.undefined(Space::UB);
  std::fill_n(Flags, Bytes, 0);
  if (!Set.intersects(At, At + Bytes))
    return;
  for (uint64_t B = 0; B < Bytes; ++B)
    Flags[B] = Set.contains(At + B);
}

void Sanitizer::onDelivery(const void *Address, uint64_t Bytes) {
  Space Where = C.Memories.spaceOf(Address);
  auto At = static_cast<uint64_t>(static_cast<const uint8_t *>(Address) -
                                  C.Memories.base(Where));
  auto &Types = Values.types(Where);
  for (uint64_t B = At / Block; B <= (At + Bytes - 1) / Block; ++B)
    Types[B] = LocalValues::NoType;
  Values.undefined(Where).assign(At, At + Bytes, false);
}

/// Whoever reads bytes without a value next is told where they were loaded.
void Sanitizer::onFunctionStore(const void *Address, uint64_t Bytes,
                                const uint8_t *Flags, const void *Root,
                                const char *Name) {
  if (C.Memories.spaceOf(Address) == Space::Host) { // of threads
    auto Begin = reinterpret_cast<uint64_t>(Address);
    return Shared.Values.assign(Begin, Begin + Bytes, false);
  }
  auto At = static_cast<uint64_t>(static_cast<const uint8_t *>(Address) -
                                  C.Memories.base(Space::UB));
  ByteSet &Set = Values.undefined(Space::UB);
  auto &Types = Values.types(Space::UB);
  for (uint64_t B = At / Block; B <= (At + Bytes - 1) / Block; ++B)
    Types[B] = LocalValues::NoType;
  for (uint64_t B = 0; B < Bytes;) {
    uint64_t First = B;
    while (B < Bytes && !Flags[B] == !Flags[First])
      ++B;
    bool Undefined = Flags[First];
    Set.assign(At + First, At + B, Undefined);
    if (!Undefined || !Root)
      continue;
    for (uint64_t N = (At + First) / Block; N <= (At + B - 1) / Block; ++N)
      Roots[uint64_t(static_cast<unsigned>(Space::UB)) << 32 | N] = {
          Root, "a vector function", Pipe::V, false, nullptr};
  }
}

void Sanitizer::onMisuse(const char *Id, const void *PC, const void *Other,
                         const char *Role, const std::string &Message,
                         const char *Hint) {
  Side Second;
  if (Other)
    Second = {&C, Other, Role};
  Shared.Out.add(Id, {&C, PC, ""}, Second, Message, Hint);
}

} // namespace belay::sim
