//===- Messages.cpp - From one rank to another ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Communicator.h"

#include <algorithm>

namespace belay::device::hccl {

namespace {

/// One message on its way, moved on without ever waiting.
class Transfer {
public:
  Transfer(Board &B, uint32_t Rank, const Message &M)
      : M(M), From(M.isSend() ? Rank : M.Call.Root),
        To(M.isSend() ? M.Call.Root : Rank), C(B.channel(From, To)) {}

  bool isDone() const { return State == Ended; }
  const Message &message() const { return M; }
  /// True if something has happened.
  bool step();
  bool isPosted() const { return State != Waiting; }

  std::optional<Mistake> Disagreement;
  std::string Gone;

private:
  enum { Waiting, Posted, Moving, Ended } State = Waiting;
  bool post();
  bool moveOn();

  const Message &M;
  uint32_t From, To;
  Channel &C;
  uint64_t Base = 0, Moved = 0;
};

/// Begins when the messages before it are through.
bool Transfer::post() {
  if (C.Done + 1 != M.Number)
    return false;
  if (M.isSend()) {
    C.Send = M.Call;
    C.SendPosted = M.Number;
  } else {
    C.Recv = M.Call;
    C.RecvPosted = M.Number;
  }
  State = Posted;
  return true;
}

bool Transfer::moveOn() {
  uint64_t Left = M.Memory.Bytes - Moved;
  uint64_t Ready = M.isSend() ? Channel::Capacity - (C.Written - C.Read)
                              : C.Written - C.Read;
  uint64_t At = (Base + Moved) % Channel::Capacity;
  uint64_t Now = std::min({Left, Ready, Channel::Capacity - At});
  if (Now == 0)
    return false;
  Piece Part = {M.Memory.Address + Moved, Now};
  Gone = M.isSend() ? copyFrom(C.Data + At, Part) : copyTo(Part, C.Data + At);
  Moved += Now;
  (M.isSend() ? C.Written : C.Read) += Now;
  return true;
}

bool Transfer::step() {
  switch (State) {
  case Waiting:
    return post();
  case Posted:
    if (C.SendPosted < M.Number || C.RecvPosted < M.Number)
      return false;
    // Both sides see the same, and only one of them tells.
    Disagreement = compareMessage(C, From, To);
    Base = M.isSend() ? C.Written : C.Read;
    State = Moving;
    return true;
  case Moving:
    if (Moved < M.Memory.Bytes)
      return moveOn();
    if (!M.isSend())
      C.Done = M.Number;
    // The sender is done when the receiver is.
    if (C.Done < M.Number)
      return false;
    State = Ended;
    return true;
  case Ended:
    return false;
  }
  return false;
}

} // namespace

Outcome Communicator::transfer(const std::vector<Message> &Messages) {
  std::vector<Transfer> All;
  All.reserve(Messages.size());
  for (const Message &M : Messages)
    All.emplace_back(*Shared, Rank, M);
  for (const Message &M : Messages)
    if (M.isSend())
      checkWritten(M.Memory, M.Call, Rank);
  Time Until = deadline();
  auto StepAll = [&] {
    bool Any = false;
    for (Transfer &T : All)
      Any |= T.step();
    return Any;
  };
  auto IsDone = [](const Transfer &T) { return T.isDone(); };
  while (!std::all_of(All.begin(), All.end(), IsDone)) {
    auto Needed = [&](uint32_t R) {
      return std::any_of(All.begin(), All.end(), [&](const Transfer &T) {
        return !T.isDone() && T.message().Call.Root == R;
      });
    };
    Board::Wait W = Shared->wait(StepAll, Until, Needed);
    if (W == Board::Wait::Failed)
      return failed();
    if (W != Board::Wait::Done) {
      auto Stuck = std::find_if_not(All.begin(), All.end(), IsDone);
      Mistake M = reportUnpaired(*Shared, Stuck->message(), Rank,
                                 W == Board::Wait::Gone, TimeLimit);
      if (Shared->fail(RtTaskTimeout, M.Text))
        report(M);
      return failed();
    }
    Shared->notify();
    Until = deadline();
    for (Transfer &T : All) {
      if (!T.Gone.empty()) {
        Shared->fail(RtCopyFailed,
                     std::string(nameOf(T.message().Call.What)) +
                         " touched memory that is gone: " + T.Gone);
        return failed();
      }
      if (T.Disagreement) {
        if (Shared->fail(RtInternal, T.Disagreement->Text))
          report(*T.Disagreement);
        return failed();
      }
    }
  }
  for (const Message &M : Messages)
    if (!M.isSend())
      markWritten(M.Memory);
  return {};
}

} // namespace belay::device::hccl
