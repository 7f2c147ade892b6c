//===- Disagreements.cpp - What ranks do not agree in ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/hccl/Communicator.h"

#include <cstdio>

namespace belay::device::hccl {

static std::string rank(uint32_t R) { return "rank " + std::to_string(R); }

/// A mistake with one call of each of two ranks.
static Mistake between(DiagId Id, const std::string &Text, const CallRecord &A,
                       uint32_t RankB, const CallRecord &B,
                       const std::string &Help) {
  Mistake M = {Id, Text};
  M.Place = describePlace(A.Where);
  M.OtherPlace = describePlace(B.Where);
  M.OtherRole = rank(RankB) + " calls " + nameOf(B.What);
  M.Help = Help;
  return M;
}

/// In which of its arguments, or in what it is, a call differs from another.
static std::optional<std::pair<DiagId, const char *>>
difference(const CallRecord &A, const CallRecord &B) {
  if (A.What != B.What)
    return std::pair(DiagId::HcclWrongOrder,
                     "all ranks have to call the same collectives in the same "
                     "order; on a device they wait for each other for ever");
  if (A.What == Kind::Barrier)
    return std::nullopt;
  if (A.Type != B.Type)
    return std::pair(DiagId::HcclMismatchedType,
                     "all ranks have to pass the same data type");
  if (A.Count != B.Count)
    return std::pair(DiagId::HcclMismatchedCount,
                     "all ranks have to pass the same count");
  if (reduces(A.What) && A.Op != B.Op)
    return std::pair(DiagId::HcclMismatchedReduction,
                     "all ranks have to pass the same reduction");
  if (hasRoot(A.What) && A.Root != B.Root)
    return std::pair(DiagId::HcclMismatchedRoot,
                     "all ranks have to name the same root");
  return std::nullopt;
}

static bool hasCounts(Kind K) {
  return K == Kind::AllGatherV || K == Kind::ReduceScatterV ||
         K == Kind::AlltoAllV || K == Kind::AlltoAllVC;
}

std::optional<Mistake> compareCalls(Board &B, uint64_t Number) {
  unsigned Phase = Number % NumPhases;
  std::string Which =
      "collective " + std::to_string(Number) + " of the communicator differs: ";
  const CallRecord &First = B.slot(0).Calls[Phase];
  for (uint32_t R = 1; R < B.ranks(); ++R) {
    const CallRecord &Other = B.slot(R).Calls[Phase];
    if (auto Found = difference(First, Other))
      return between(Found->first,
                     Which + rank(0) + " calls " + First.describe() + ", " +
                         rank(R) + " " + Other.describe(),
                     First, R, Other, Found->second);
  }
  if (!hasCounts(First.What))
    return std::nullopt;
  for (uint32_t From = 0; From < B.ranks(); ++From)
    for (uint32_t To = 0; To < B.ranks(); ++To) {
      uint64_t Gives = B.gives(From, Phase)[To],
               Takes = B.takes(To, Phase)[From];
      if (Gives == Takes)
        continue;
      return between(DiagId::HcclMismatchedCount,
                     Which + "in " + nameOf(First.What) + " " + rank(From) +
                         " gives " + std::to_string(Gives) + " elements to " +
                         rank(To) + ", which expects " + std::to_string(Takes),
                     B.slot(From).Calls[Phase], To, B.slot(To).Calls[Phase],
                     "what one rank gives is what the other takes");
    }
  return std::nullopt;
}

std::optional<Mistake> compareMessage(const Channel &C, uint32_t From,
                                      uint32_t To) {
  const CallRecord &A = C.Send, &B = C.Recv;
  if (A.Type == B.Type && A.Count == B.Count)
    return std::nullopt;
  auto Text = [](const CallRecord &Call) {
    return std::to_string(Call.Count) + " x " + nameOf(Call.Type);
  };
  return between(A.Type != B.Type ? DiagId::HcclMismatchedType
                                  : DiagId::HcclMismatchedCount,
                 rank(From) + " sends " + Text(A) + " to " + rank(To) +
                     ", which receives " + Text(B),
                 A, To, B,
                 "count and data type of HcclSend and HcclRecv are the same");
}

static std::string within(double Seconds) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), " within %g s (HCCL_EXEC_TIMEOUT)",
                Seconds);
  return Text;
}

/// Why a rank is not where it should be.
static std::string absence(Board &B, uint32_t R, uint64_t Number) {
  RankSlot &Slot = B.slot(R);
  uint64_t Begun = Slot.Begun;
  std::string Text = rank(R);
  if (Slot.Where == RankSlot::Left)
    Text += " has destroyed its communicator";
  else if (B.isGone(R))
    Text += "'s process has ended";
  else if (Begun >= Number)
    Text += " has stopped in it";
  else
    Text += " has not called it";
  if (Begun < Number)
    Text += Begun == 0
                ? "; it has called no collective at all"
                : "; its last one is number " + std::to_string(Begun) + ", " +
                      B.slot(R).Calls[Begun % NumPhases].describe();
  return Text;
}

Mistake reportMissing(Board &B, uint64_t Number, const CallRecord &Mine,
                      uint32_t Me, double Seconds) {
  std::string Who;
  const CallRecord *Last = nullptr;
  uint32_t LastRank = 0;
  for (uint32_t R = 0; R < B.ranks(); ++R) {
    RankSlot &Slot = B.slot(R);
    bool Late = Slot.Begun < Number || (R != Me && B.isGone(R));
    if (!Late)
      continue;
    Who += (Who.empty() ? "" : ", ") + absence(B, R, Number);
    if (!Last && Slot.Begun) {
      Last = &Slot.Calls[Slot.Begun % NumPhases];
      LastRank = R;
    }
  }
  if (Who.empty())
    Who = "a rank has stopped in it";
  Mistake M = {DiagId::HcclMissingRank,
               rank(Me) + " waits in collective " + std::to_string(Number) +
                   ", " + Mine.describe() + ", for ranks that do not come" +
                   (Seconds > 0 ? within(Seconds) : "") + ": " + Who};
  M.Place = describePlace(Mine.Where);
  if (Last) {
    M.OtherRole = "the last collective of " + rank(LastRank) + " is called";
    M.OtherPlace = describePlace(Last->Where);
  }
  M.Help = "every rank has to call every collective of its communicator";
  return M;
}

Mistake reportUnpaired(Board &B, const Message &M, uint32_t Me, bool Gone,
                       double Seconds) {
  uint32_t Other = M.Call.Root;
  std::string Text =
      rank(Me) + (M.isSend() ? " sends " : " waits to receive ") +
      std::to_string(M.Call.Count) + " x " + nameOf(M.Call.Type) +
      (M.isSend() ? " to " : " from ") + rank(Other) + ", which ";
  Text += M.isSend() ? "does not receive" : "does not send";
  Mistake Result = {DiagId::HcclUnpaired, ""};
  // What it does instead is often the other end of a circle.
  const Channel &Back =
      M.isSend() ? B.channel(Other, Me) : B.channel(Me, Other);
  bool Crossed =
      M.isSend() ? Back.SendPosted > Back.Done : Back.RecvPosted > Back.Done;
  const CallRecord &Instead = M.isSend() ? Back.Send : Back.Recv;
  if (Gone)
    Text += B.slot(Other).Where == RankSlot::Left
                ? ": it has destroyed its communicator"
                : ": its process has ended";
  else
    Text += within(Seconds);
  if (Crossed) {
    Text += M.isSend() ? ": it sends, too" : ": it waits to receive, too";
    Result.OtherRole = rank(Other) + " calls " + nameOf(Instead.What);
    Result.OtherPlace = describePlace(Instead.Where);
  }
  Result.Text = Text;
  Result.Place = describePlace(M.Call.Where);
  Result.Help = Crossed
                    ? "let one rank receive first, or pass both to "
                      "HcclBatchSendRecv"
                    : "every HcclSend needs its HcclRecv, in the same order";
  return Result;
}

} // namespace belay::device::hccl
