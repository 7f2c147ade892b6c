//===- Seat.h - The model's end of one core's ring --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SEALED_SEAT_H
#define BELAY_SEALED_SEAT_H

#include "model/core/Failure.h"
#include "sealed/Decoder.h"

#include <atomic>

namespace belay::sim::sealed {

/// What became of the issuer: 0 while it runs, else its wait status + 1.
extern std::atomic<uint32_t> IssuerEnd;

/// Takes records out of a ring and executes them. The ring is written by the
/// kernel's process while it is read: cursors and records are read once.
class BELAY_RUNTIME_API Seat {
public:
  /// An empty ring.
  void attach(Ring &R) {
    Channel = &R;
    Taken = 0;
    HasRecord = false;
  }
  /// A core that starts anew.
  void reset() {
    Calls.reset();
    FirstOfCore = true;
  }
  /// Executes one block for the current core.
  void serveBlock();

  /// Copies the next record; false if none is complete yet.
  bool takeRecord();
  /// Executes the record that was taken last, and answers.
  void execute();
  bool isNextBlock() const { return Header.What == Function::next_block; }

private:
  void await();
  void publish();
  void copyOut(void *To, uint64_t At, uint32_t Bytes) const;

  Ring *Channel = nullptr;
  uint64_t Taken = 0; // by us; never read back
  bool HasRecord = false, FirstOfCore = true;
  RecordHeader Header = {};
  Decoder Calls;
  alignas(8) uint8_t Answer[MaxAnswer] = {};
  alignas(8) uint8_t Record[MaxRecord] = {};
};

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_SEAT_H
