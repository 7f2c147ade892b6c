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
/// Whether it was killed, and the machine has killed processes for want of
/// memory while it ran: it need not be at fault then.
extern std::atomic<bool> MachineOutOfMemory;

/// Takes records out of a ring and executes them. The ring is written by the
/// kernel's process while it is read: cursors and records are read once.
class BELAY_RUNTIME_API Seat {
public:
  /// An empty ring.
  void attach(Ring &R) {
    Channel = &R;
    Taken = Seen = Published = 0;
    HasRecord = false;
  }
  /// A core that starts anew.
  void reset() {
    Calls.reset();
    FirstOfCore = true;
  }
  /// Executes one block for the current core.
  void serveBlock();

  /// Copies the next record; false if none is there yet. Then the issuer knows
  /// that all others are done.
  bool takeRecord();
  /// Executes the record that was taken last.
  void execute();
  const RecordHeader &header() const { return Header; }
  bool isNextBlock() const { return Header.What == Function::next_block; }

private:
  void await();
  void finishRecord();
  /// Tells the issuer what is done: the answer first, then the cursor. Only the
  /// last record that is there can have an issuer that waits for its answer.
  void publish();
  void copyOut(uint8_t *To, uint64_t At, uint32_t Bytes) const;

  Ring *Channel = nullptr;
  /// Not after each record: both sides would wait for each other's caches. The
  /// issuer that waits for room waits for half a ring.
  static constexpr uint64_t PublishAt = RingBytes / 16;

  uint64_t Taken = 0;     // by us; never read back
  uint64_t Published = 0; // of it, what the issuer knows
  uint64_t Seen = 0;      // of what the issuer has written
  bool HasRecord = false, FirstOfCore = true;
  RecordHeader Header = {};
  Decoder Calls;
  size_t AnswerBytes = 0;
  alignas(8) uint8_t Answer[MaxAnswer] = {};
  alignas(8) uint8_t Record[MaxRecord] = {};
};

} // namespace belay::sim::sealed

#endif // BELAY_SEALED_SEAT_H
