//===- DeviceState.h - What is remembered of the device ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records of which Runtime keeps lists: buffers, queues, flags, accesses, and
// what was written where.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_DEVICESTATE_H
#define BELAY_CHECK_DEVICESTATE_H

#include "abi/Buffers.h"
#include "check/Events.h"
#include "check/Interpreter.h"
#include "order/PipeClocks.h"
#include <deque>

namespace belay::check {

/// Memory that a loop writes piece by piece, up to here (Fills.cpp).
struct Fill {
  RegionId In;
  Number Begin, End, Piece;
  bool operator==(const Fill &) const = default;
};

struct Buffer {
  PathId Record = 0;
  RegionId In = 0;
  sim::BufferState State = sim::BufferState::Free;
  uint32_t Generation = 0;
  PathId Queue = 0;
  std::string Name;
  clang::SourceLocation AllocatedAt, FreedAt;
  sim::Pipe Producer = sim::Pipe::S, Consumer = sim::Pipe::S;
  std::optional<sim::Clock> Filled, Emptied;
  unsigned Changed = 0; ///< When it was given out, or taken back.
};

struct Queue {
  std::string Name;
  std::vector<PathId> Buffers;
  size_t Next = 0;
  std::deque<PathId> Held;
  uint32_t Depth = 0;
  sim::Pipe Producer = sim::Pipe::S, Consumer = sim::Pipe::S;
};

struct Note {
  Value Address;
  Number Bytes;
  PathId Buffer;
  Number Generation;
  unsigned When;
};

enum class Defined : uint8_t { Yes, No, Unknown };

struct Rows {
  Number Each, Pitch;
};

struct Written {
  Number Begin, End;
  Defined State;
  /// If not all bytes have values, so many bits from Begin do.
  std::optional<Number> Bits = std::nullopt;
  /// Each iteration of a loop adds so many bytes.
  std::optional<Number> Piece = std::nullopt;
  /// If not all bytes have values, those of rows do.
  std::optional<Rows> InRows = std::nullopt;
};

struct Contents {
  Defined All = Defined::Yes;
  const Operand *Culprit = nullptr; ///< That has bytes without a value.
  bool Possible = false;            ///< In some launches, it has.
};

struct FlagState {
  std::optional<sim::Clock> Raised;
  sim::Epoch LastWait;
  clang::SourceLocation SetAt, WaitAt;
  uint32_t Sets = 0, Waits = 0, Lost = 0;
};
using FlagKey = std::tuple<sim::Pipe, sim::Pipe, int32_t>;

struct Access {
  Operand Bytes;
  sim::Epoch When;
  std::string Name;
  clang::SourceLocation At;
  bool UnitFlag = false, Interlocked = false, ByPointer = false;
  /// It stands for all of its kind, wherever in the memory they were.
  bool Widened = false;
  /// How many choices led to it. Code is there to be reached: of two accesses
  /// without order, only what is chosen between them is a condition.
  size_t Choices = 0;
};

struct Pending {
  Event E;
  sim::Clock Scalar;
};

struct CachedLine {
  Operand Bytes;
  unsigned Phase;
};

struct CrossState {
  unsigned Sets = 0, Waits = 0;
  clang::SourceLocation SetAt, WaitAt;
  sim::Pipe On = sim::Pipe::S;
};

struct WideOffset {
  const Wrap *Of;
  clang::SourceLocation Used;
  bool Beside64; ///< In a sum with a number that the host keeps in 64 bits.
};

} // namespace belay::check

#endif // BELAY_CHECK_DEVICESTATE_H
