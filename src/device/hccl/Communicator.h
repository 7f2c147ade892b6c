//===- Communicator.h - One rank and what it has to do ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_HCCL_COMMUNICATOR_H
#define BELAY_DEVICE_HCCL_COMMUNICATOR_H

#include "device/core/Runtime.h"
#include "device/hccl/Board.h"

namespace belay::device::hccl {

/// Bytes of device memory.
struct Piece {
  uint64_t Address = 0;
  uint64_t Bytes = 0;
};

/// Bytes of what a rank shows, and where they go to.
struct Fetch {
  uint32_t Rank;
  uint64_t From; // in what the rank shows
  Piece To;
};

/// What one rank does in one collective: it shows pieces of its memory, one
/// after the other, and fetches, or reduces, parts of what all show.
struct Plan {
  CallRecord Call;
  uint64_t Number = 0; // in the communicator, from 1 on
  std::vector<Piece> Shown;
  std::vector<Fetch> Fetches;
  /// Of every rank, reduced in the order of ranks.
  std::optional<Fetch> Reduced;
  /// Every rank wants the same of Reduced: each does a part for all.
  bool Shared = false;
  /// Where the counts differ from rank to rank: what goes to, and comes from,
  /// each. Otherwise empty, and Call.Count is everybody's.
  std::vector<uint64_t> Gives, Takes;
  /// A fetch begins in what rank r shows where that gives to ranks before this
  /// one end. Otherwise From holds.
  bool AfterOthers = false;
};

/// One message of HcclSend, HcclRecv or HcclBatchSendRecv.
struct Message {
  CallRecord Call; // Root is the other rank
  Piece Memory;
  uint64_t Number = 0; // between these two ranks, from 1 on

  bool isSend() const { return Call.What == Kind::Send; }
};

class BELAY_DEVICE_API Communicator
    : public std::enable_shared_from_this<Communicator> {
public:
  Communicator(std::shared_ptr<Board> B, uint32_t Rank, int Device)
      : Rank(Rank), Ranks(B->ranks()), Device(Device), Shared(std::move(B)) {}

  const uint32_t Rank, Ranks;
  const int Device;
  uint64_t Id = 0; // of its handle
  std::string Name;
  std::string RendezvousName; // what the ranks connected under; unique
  bool IsPart = false;        // made from another one
  double TimeLimit = 0; // seconds that a rank waits for others; 0 for ever
  std::atomic<bool> Suspended{false};

  Board &board() { return *Shared; }

  void enqueue(Stream &S, Plan P, const void *Site);
  void enqueue(Stream &S, std::vector<Message> Messages, const void *Site);

  /// A task that the host does not know the end of; nothing if there is none.
  std::optional<Use> unfinished();
  /// Whether tasks have in fact not ended.
  bool isBusy();
  /// HcclGetCommAsyncError.
  int failure() { return Shared->failure(); }

private:
  /// Numbers the task, and notes who uses what until its end.
  void submit(Stream &S, Stream::Task T, const std::vector<Piece> &Memory,
              const Use &U);
  Outcome run(const Plan &P);
  Outcome move(const Plan &P, uint64_t Longest);
  Outcome transfer(const std::vector<Message> &Messages);

  /// \name Steps of run().
  /// @{
  std::optional<Outcome> awaitOrder(const Plan &P);
  std::optional<Outcome> begin(const Plan &P, Time Until);
  std::optional<Outcome> barrier(const Plan &P, Time Until);
  std::optional<Outcome> reduceWindow(const Plan &P, uint64_t Offset,
                                      uint64_t Bytes, unsigned Phase,
                                      Time Until);
  uint64_t beginOf(const Plan &P, const Fetch &F);
  /// @}

  Time deadline() const;
  /// What became of a wait that did not end well.
  Outcome explain(Board::Wait Why, const Plan &P);
  Outcome failed();

  std::shared_ptr<Board> Shared;
  std::mutex Mutex; // of what follows
  std::condition_variable OrderChanged;
  uint64_t Issued = 0, Ended = 0;       // collectives
  uint64_t InFlight = 0;                // tasks
  std::vector<uint64_t> Sent, Received; // messages by rank
  std::unordered_map<uint64_t, Use> Uses;
  /// Only touched by the task that is next.
  uint64_t Barriers = 0, Windows = 0;
};

/// Copies between device memory and a board. Empty if the memory is still
/// there, else what is known of it.
std::string copyFrom(uint8_t *To, const Piece &From);
std::string copyTo(const Piece &To, const uint8_t *From);
void markWritten(const Piece &P);
/// With BELAY_CHECK=1: reports memory that is sent, but that nobody wrote.
void checkWritten(const Piece &P, const CallRecord &Call, uint32_t Rank);

/// What the calls of all ranks disagree in, if they do.
std::optional<Mistake> compareCalls(Board &B, uint64_t Number);
std::optional<Mistake> compareMessage(const Channel &C, uint32_t From,
                                      uint32_t To);
/// Who is missing, and what they did last.
Mistake reportMissing(Board &B, uint64_t Number, const CallRecord &Mine,
                      uint32_t Me, double Seconds);
Mistake reportUnpaired(Board &B, const Message &M, uint32_t Me, bool Gone,
                       double Seconds);

} // namespace belay::device::hccl

#endif // BELAY_DEVICE_HCCL_COMMUNICATOR_H
