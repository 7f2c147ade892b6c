//===- Communicator.cpp - One rank, and what it has been told to do -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Communicator.h"

#include "device/core/Configuration.h"

#include <algorithm>
#include <cstring>

namespace belay::device::hccl {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Runs Copy with where the bytes can be touched, while nobody can free them.
template <typename Function>
static std::string touch(const Piece &P, Function Copy) {
  if (P.Bytes == 0)
    return {};
  Where Place = runtime().locate(reinterpret_cast<const void *>(P.Address));
  if (!Place.On)
    return "it is no device memory";
  AllocationTable &Table = Place.On->Memory.Table;
  std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
  if (Table.find(P.Address, P.Bytes) == Table.Live.end())
    return Table.describe(P.Address);
  Copy(Place.On->Memory.bytes(P.Address));
  return {};
}

std::string copyFrom(uint8_t *To, const Piece &From) {
  return touch(From,
               [&](uint8_t *Bytes) { std::memcpy(To, Bytes, From.Bytes); });
}
std::string copyTo(const Piece &To, const uint8_t *From) {
  return touch(To, [&](uint8_t *Bytes) { std::memcpy(Bytes, From, To.Bytes); });
}

static Outcome gone(const CallRecord &Call, const std::string &Problem) {
  return {RtCopyFailed, std::string(nameOf(Call.What)) +
                            " touched memory that is gone: " + Problem};
}

void markWritten(const Piece &P) {
  if (P.Bytes == 0)
    return;
  if (Where Place = runtime().locate(reinterpret_cast<void *>(P.Address));
      Place.On)
    Place.On->Memory.markWritten({P.Address});
}

void checkWritten(const Piece &P, const CallRecord &Call, uint32_t Rank) {
  if (!configuration().Check || P.Bytes == 0)
    return;
  Where Place = runtime().locate(reinterpret_cast<void *>(P.Address));
  if (!Place.On)
    return;
  const void *Site;
  {
    AllocationTable &Table = Place.On->Memory.Table;
    std::shared_lock<std::shared_mutex> Lock(Table.Mutex);
    auto It = Table.find(P.Address, P.Bytes);
    if (It == Table.Live.end() || It->second.HasValues)
      return;
    Site = It->second.Site;
  }
  Mistake M = {DiagId::HcclBadBuffer,
               std::string(nameOf(Call.What)) + ": rank " +
                   std::to_string(Rank) + " sends " + std::to_string(P.Bytes) +
                   " bytes that nobody has written",
               nullptr,
               "the memory was allocated",
               Site,
               "fill the buffer in the same stream, or synchronise, before it "
               "is sent"};
  M.Place = describePlace(Call.Where);
  report(M);
}

//===----------------------------------------------------------------------===//
// Enqueueing
//===----------------------------------------------------------------------===//

void Communicator::submit(Stream &S, Stream::Task T,
                          const std::vector<Piece> &Memory, const Use &U) {
  ++InFlight;
  auto Self = shared_from_this();
  Use Done = U;
  Done.Sequence = S.submit([Self, T = std::move(T)] {
    Outcome Result = T();
    std::lock_guard<std::mutex> Lock(Self->Mutex);
    --Self->InFlight;
    return Result;
  });
  Uses[S.Id] = Done;
  for (const Piece &P : Memory) {
    Where Place = runtime().locate(reinterpret_cast<void *>(P.Address));
    if (!Place.On)
      continue;
    AllocationTable &Table = Place.On->Memory.Table;
    std::unique_lock<std::shared_mutex> Lock(Table.Mutex);
    if (auto It = Table.find(P.Address); It != Table.Live.end())
      It->second.Uses[S.Id] = Done;
  }
}

void Communicator::enqueue(Stream &S, Plan P, const void *Site) {
  std::vector<Piece> Memory = P.Shown;
  for (const Fetch &F : P.Fetches)
    Memory.push_back(F.To);
  if (P.Reduced)
    Memory.push_back(P.Reduced->To);
  // The order of calls is the order of numbers, and in each stream that of
  // tasks.
  std::lock_guard<std::mutex> Lock(Mutex);
  P.Number = ++Issued;
  const char *What = nameOf(P.Call.What);
  auto Kept = std::make_shared<const Plan>(std::move(P));
  submit(S, [this, Kept] { return run(*Kept); }, Memory, {0, What, Site});
}

void Communicator::enqueue(Stream &S, std::vector<Message> Messages,
                           const void *Site) {
  std::lock_guard<std::mutex> Lock(Mutex);
  Sent.resize(Ranks);
  Received.resize(Ranks);
  std::vector<Piece> Memory;
  for (Message &M : Messages) {
    M.Number = ++(M.isSend() ? Sent : Received)[M.Call.Root];
    Memory.push_back(M.Memory);
  }
  const char *What = Messages.size() == 1 ? nameOf(Messages[0].Call.What)
                                          : nameOf(Kind::BatchSendRecv);
  auto Kept = std::make_shared<const std::vector<Message>>(std::move(Messages));
  submit(S, [this, Kept] { return transfer(*Kept); }, Memory, {0, What, Site});
}

std::optional<Use> Communicator::unfinished() {
  std::lock_guard<std::mutex> Lock(Mutex);
  for (const auto &[StreamId, U] : Uses)
    if (!HostKnowledge::knows(StreamId, U.Sequence))
      return U;
  return std::nullopt;
}

bool Communicator::isBusy() {
  std::lock_guard<std::mutex> Lock(Mutex);
  return InFlight > 0;
}

//===----------------------------------------------------------------------===//
// Waiting for each other
//===----------------------------------------------------------------------===//

Time Communicator::deadline() const {
  return TimeLimit > 0 ? std::chrono::steady_clock::now() +
                             std::chrono::duration_cast<
                                 std::chrono::steady_clock::duration>(
                                 std::chrono::duration<double>(TimeLimit))
                       : Time::max();
}

Outcome Communicator::failed() {
  return {Shared->failure(), Shared->failureText()};
}

Outcome Communicator::explain(Board::Wait Why, const Plan &P) {
  if (Why == Board::Wait::Failed)
    return failed();
  Mistake M = reportMissing(*Shared, P.Number, P.Call, Rank,
                            Why == Board::Wait::Gone ? 0 : TimeLimit);
  if (Shared->fail(RtTaskTimeout, M.Text))
    report(M);
  return failed();
}

/// Collectives of one rank run in the order of their calls, whatever streams
/// they are in.
std::optional<Outcome> Communicator::awaitOrder(const Plan &P) {
  std::unique_lock<std::mutex> Lock(Mutex);
  auto IsNext = [&] { return Ended + 1 >= P.Number; };
  if (TimeLimit <= 0)
    OrderChanged.wait(Lock, IsNext);
  else if (!OrderChanged.wait_until(Lock, deadline(), IsNext))
    return Outcome{RtTaskTimeout,
                   std::string(nameOf(P.Call.What)) +
                       ": a collective that was called before on this "
                       "communicator, in another stream, has not run"};
  return std::nullopt;
}

/// Says what this rank is about to do, and hears it from all others.
std::optional<Outcome> Communicator::begin(const Plan &P, Time Until) {
  RankSlot &Mine = Shared->slot(Rank);
  unsigned Phase = P.Number % NumPhases;
  Mine.Calls[Phase] = P.Call;
  std::copy(P.Gives.begin(), P.Gives.end(), Shared->gives(Rank, Phase));
  std::copy(P.Takes.begin(), P.Takes.end(), Shared->takes(Rank, Phase));
  Mine.Begun = P.Number;
  Shared->notify();
  auto Missing = [&](uint32_t R) { return Shared->slot(R).Begun < P.Number; };
  auto Done = [&] {
    for (uint32_t R = 0; R < Ranks; ++R)
      if (Missing(R))
        return false;
    return true;
  };
  if (Board::Wait W = Shared->wait(Done, Until, Missing);
      W != Board::Wait::Done)
    return explain(W, P);
  if (std::optional<Mistake> M = compareCalls(*Shared, P.Number)) {
    if (Shared->fail(RtInternal, M->Text))
      report(*M);
    return failed();
  }
  return std::nullopt;
}

/// Waits until all ranks have come to the same point.
std::optional<Outcome> Communicator::barrier(const Plan &P, Time Until) {
  Shared->slot(Rank).Passed = ++Barriers;
  Shared->notify();
  auto Missing = [&](uint32_t R) { return Shared->slot(R).Passed < Barriers; };
  auto Done = [&] {
    for (uint32_t R = 0; R < Ranks; ++R)
      if (Missing(R))
        return false;
    return true;
  };
  if (Board::Wait W = Shared->wait(Done, Until, Missing);
      W != Board::Wait::Done)
    return explain(W, P);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Outcome Communicator::run(const Plan &P) {
  if (std::optional<Outcome> Problem = awaitOrder(P))
    return *Problem;
  Time Until = deadline();
  Outcome Result;
  if (Shared->failure()) {
    Result = failed();
  } else if (std::optional<Outcome> Problem = begin(P, Until)) {
    Result = *Problem;
  } else {
    uint64_t Longest = 0;
    for (uint32_t R = 0; R < Ranks; ++R)
      Longest =
          std::max(Longest, Shared->slot(R).Calls[P.Number % NumPhases].Bytes);
    Result = move(P, Longest);
  }
  // Memory that is gone here is missed by all.
  if (Result.Error && !Shared->failure())
    Shared->fail(Result.Error, Result.Text);
  std::lock_guard<std::mutex> Lock(Mutex);
  Ended = std::max(Ended, P.Number);
  OrderChanged.notify_all();
  return Result;
}

namespace {

/// The part of [Begin, Begin + Bytes) that lies in a window.
struct Overlap {
  uint64_t Begin, End;
  Overlap(uint64_t First, uint64_t Bytes, uint64_t Offset, uint64_t Length)
      : Begin(std::max(First, Offset)),
        End(std::min(First + Bytes, Offset + Length)) {}
  uint64_t bytes() const { return Begin < End ? End - Begin : 0; }
};

} // namespace

/// Copies what this rank shows of a window.
static std::string show(const Plan &P, uint64_t Offset, uint64_t Bytes,
                        uint8_t *Window) {
  uint64_t First = 0;
  for (const Piece &Each : P.Shown) {
    Overlap Part(First, Each.Bytes, Offset, Bytes);
    if (Part.bytes())
      if (std::string Problem =
              copyFrom(Window + (Part.Begin - Offset),
                       {Each.Address + (Part.Begin - First), Part.bytes()});
          !Problem.empty())
        return Problem;
    First += Each.Bytes;
  }
  return {};
}

uint64_t Communicator::beginOf(const Plan &P, const Fetch &F) {
  if (!P.AfterOthers)
    return F.From;
  const uint64_t *Gives = Shared->gives(F.Rank, P.Number % NumPhases);
  uint64_t Count = 0;
  for (uint32_t R = 0; R < Rank; ++R)
    Count += Gives[R];
  return Count * sizeOf(P.Call.Type);
}

/// Reduces Bytes of all ranks' windows from At on, in the order of ranks, and
/// gives the result to Take(At, data, bytes) bit by bit.
template <typename Function>
static std::string reduceAll(Board &B, const CallRecord &Call, unsigned Phase,
                             uint64_t At, uint64_t Bytes, Function Take) {
  alignas(64) uint8_t Sum[4096];
  size_t Size = sizeOf(Call.Type);
  for (uint64_t Done = 0; Done < Bytes;) {
    uint64_t Now = std::min<uint64_t>(sizeof(Sum), Bytes - Done);
    std::memcpy(Sum, B.window(0, Phase) + At + Done, Now);
    for (uint32_t R = 1; R < B.ranks(); ++R)
      reduce(Sum, B.window(R, Phase) + At + Done, Now / Size, Call.Type,
             Call.Op);
    if (std::string Problem = Take(At + Done, Sum, Now); !Problem.empty())
      return Problem;
    Done += Now;
  }
  return {};
}

/// Every rank reduces its share of the window for all, in its own window, where
/// nobody else reads that share; then all collect.
std::optional<Outcome> Communicator::reduceWindow(const Plan &P,
                                                  uint64_t Offset,
                                                  uint64_t Bytes,
                                                  unsigned Phase, Time Until) {
  size_t Size = sizeOf(P.Call.Type);
  uint64_t Count = Bytes / Size;
  Piece To = P.Reduced ? P.Reduced->To : Piece();
  auto Share = [&](uint32_t R) { return Count * R / Ranks * Size; };
  uint8_t *Mine = Shared->window(Rank, Phase);
  reduceAll(*Shared, P.Call, Phase, Share(Rank), Share(Rank + 1) - Share(Rank),
            [&](uint64_t At, const uint8_t *Sum, uint64_t Length) {
              std::memcpy(Mine + At, Sum, Length);
              return std::string();
            });
  if (std::optional<Outcome> Problem = barrier(P, Until))
    return Problem;
  for (uint32_t R = 0; R < Ranks; ++R)
    if (std::string Problem =
            copyTo({To.Address + Offset + Share(R), Share(R + 1) - Share(R)},
                   Shared->window(R, Phase) + Share(R));
        !Problem.empty())
      return gone(P.Call, Problem);
  return std::nullopt;
}

Outcome Communicator::move(const Plan &P, uint64_t Longest) {
  for (const Piece &Each : P.Shown)
    checkWritten(Each, P.Call, Rank);
  for (uint64_t Offset = 0; Offset < Longest; Offset += Board::WindowBytes) {
    uint64_t Bytes = std::min(Board::WindowBytes, Longest - Offset);
    // Others may still read the window before this one, but not the one
    // before that: a barrier has followed.
    unsigned Phase = Windows++ % NumPhases;
    if (std::string Problem =
            show(P, Offset, Bytes, Shared->window(Rank, Phase));
        !Problem.empty())
      return gone(P.Call, Problem);
    Time Until = deadline();
    if (std::optional<Outcome> Problem = barrier(P, Until))
      return *Problem;
    if (P.Shared) {
      if (std::optional<Outcome> Problem =
              reduceWindow(P, Offset, Bytes, Phase, Until))
        return *Problem;
      continue;
    }
    std::string Problem;
    for (const Fetch &F : P.Fetches) {
      uint64_t First = beginOf(P, F);
      Overlap Part(First, F.To.Bytes, Offset, Bytes);
      if (Problem.empty() && Part.bytes())
        Problem = copyTo({F.To.Address + (Part.Begin - First), Part.bytes()},
                         Shared->window(F.Rank, Phase) + (Part.Begin - Offset));
    }
    if (const auto &F = P.Reduced) {
      Overlap Part(F->From, F->To.Bytes, Offset, Bytes);
      if (Problem.empty() && Part.bytes())
        Problem = reduceAll(
            *Shared, P.Call, Phase, Part.Begin - Offset, Part.bytes(),
            [&](uint64_t At, const uint8_t *Sum, uint64_t Length) {
              return copyTo({F->To.Address + (Offset + At - F->From), Length},
                            Sum);
            });
    }
    if (!Problem.empty())
      return gone(P.Call, Problem);
  }
  for (const Fetch &F : P.Fetches)
    markWritten(F.To);
  if (P.Reduced)
    markWritten(P.Reduced->To);
  return {};
}

} // namespace belay::device::hccl
