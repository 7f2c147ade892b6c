//===- Events.h - What a kernel does to memories and pipes -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_EVENTS_H
#define BELAY_CHECK_EVENTS_H

#include "abi/Types.h"
#include "check/Number.h"
#include "check/Store.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>
#include <string>
#include <vector>

namespace belay::check {

/// A memory, or the part of it that one buffer got.
struct Region {
  sim::Space Where;
  std::string Name;
  Number Bytes;
  bool Sized = false;
  Origin From = Origin::Other;
  unsigned Contents = 0; ///< Counts what may have changed them.
};

/// The bytes of one operand.
struct Operand {
  RegionId In = 0;
  Number Begin;
  Number Span;    ///< One past the last byte, from Begin.
  Number Certain; ///< So many bytes from Begin are touched without a gap.
  /// Of rows that have Certain bytes each, and nothing between them: how far
  /// their beginnings lie apart.
  std::optional<Number> Pitch;
  bool Write = false;
  bool Atomic = false;
  /// How Span is meant: so many bytes, at most so many, or only that they lie
  /// in the tensor is believed.
  enum class Extent : uint8_t { Exact, AtMost, Believed };
  Extent Size = Extent::Exact;
  sim::Elem Type = sim::Elem::U8;
  /// Which of these bytes are touched is data.
  bool Scattered = false;
  /// One bit for each element of the other operands.
  bool Bits = false;
  /// Groups of so many bytes, so many bytes apart: the first of each source
  /// make the first of the results, and so on.
  int64_t Group = 0, GroupStep = 0;
  /// The tensor it came from.
  std::optional<Number> TensorBytes;
  /// Or another one, which begins at the same place.
  std::optional<Number> OtherBytes;
  PathId Buffer = 0;
  Number Generation;
};

/// Pieces of a copy: so many bytes in all, with what lies between them; in
/// each; and from one to the next, if there is something between them.
struct Bursts {
  Number Span, Each;
  std::optional<Number> Pitch;
};

enum class EventKind : uint8_t {
  Access,
  SetFlag,
  WaitFlag,
  Barrier,
  EnQue,
  DeQue,
  Alloc,
  Free,
  CrossSet,
  CrossWait,
  SyncAll,
  Lock,
  Unlock,
};

struct Event {
  EventKind Kind = EventKind::Access;
  std::string Name;
  sim::Pipe On = sim::Pipe::S, To = sim::Pipe::S;
  int32_t Id = 0;
  clang::SourceLocation At;
  std::vector<Operand> Operands;
  PathId Buffer = 0;
  bool UnitFlag = false, Interlocked = false;
  bool ByPointer = false; ///< Which the compiler does not follow.
  /// Values go from element to element, not from all sources to all results.
  bool ByElement = false;
  /// One byte without a value takes it from all results: those of the same
  /// group, if there are groups. Else the results may not depend on it.
  bool Mixes = false;
  /// A copy that is cut down to whole blocks was asked for so many bytes.
  std::optional<Number> Requested;
  uint32_t Alignment = 0; ///< Of its own; 0: what the memory has.
  /// Which alignment it needs is not in the table.
  bool AlignmentUnknown = false;
};

} // namespace belay::check

#endif // BELAY_CHECK_EVENTS_H
