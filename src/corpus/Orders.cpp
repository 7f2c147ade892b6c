//===- Orders.cpp - The sanitizer's word against random orders ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "corpus/Orders.h"

#include "llvm/ADT/STLExtras.h"

using namespace belay;
using namespace belay::corpus;
using namespace llvm;
using belay::support::DiagId;
using belay::support::Diagnostic;

static OrderVerdict verdictOf(const report::CaseResult &Checked) {
  OrderVerdict Result = OrderVerdict::RaceFree;
  for (const Diagnostic &Diag : Checked.Problems)
    switch (Diag.Id) {
    case DiagId::MissingSync:
    case DiagId::MissingBarrier:
    case DiagId::RaceBetweenCores:
      return OrderVerdict::Racy;
    case DiagId::FlagSetTwice:
    case DiagId::FlagRunAhead:
    case DiagId::FlagNeverSet:
    case DiagId::FlagDeadlock:
    case DiagId::FlagLeftSet:
      Result = OrderVerdict::Flags;
      break;
    default:
      break;
    }
  return Result;
}

static OrderEffect effectOf(const report::CaseResult &Reordered) {
  if (Reordered.passed())
    return OrderEffect::None;
  bool Differs = any_of(Reordered.Problems, [](const Diagnostic &Diag) {
    return Diag.Id == DiagId::ScheduleDependent;
  });
  return Differs ? OrderEffect::Differs : OrderEffect::NoResult;
}

void OrderScore::count(const OrderTrial &Each) {
  if (Each.Seen == OrderEffect::NoResult) {
    ++NoResult;
    return;
  }
  bool Differs = Each.Seen == OrderEffect::Differs;
  switch (Each.Said) {
  case OrderVerdict::RaceFree:
    ++RaceFree;
    Same += !Differs;
    return;
  case OrderVerdict::Flags:
    ++Flags;
    FlagsDifferent += Differs;
    return;
  case OrderVerdict::Racy:
    ++Racy;
    Different += Differs;
    return;
  }
}

OrderBoard corpus::compareOrders(ArrayRef<Trial> Trials,
                                 ArrayRef<report::CaseResult> Checked,
                                 ArrayRef<report::CaseResult> Reordered) {
  OrderBoard Board;
  for (const auto &[T, Said, Seen] : zip_equal(Trials, Checked, Reordered)) {
    OrderTrial Each = {&T, verdictOf(Said), effectOf(Seen), &Seen};
    std::string Class = T.Of ? T.Of->Class : "examples";
    auto Row = find_if(Board.Classes,
                       [&](const auto &Entry) { return Entry.first == Class; });
    if (Row == Board.Classes.end())
      Row = Board.Classes.insert(Row, {Class, {}});
    Row->second.count(Each);
    Board.Total.count(Each);
    Board.Trials.push_back(Each);
  }
  return Board;
}
