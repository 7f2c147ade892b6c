//===- Fills.cpp - Memory that a loop writes piece by piece ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If an iteration wrote a piece that begins where that of the one before it
// ends, all later ones are taken to have done so, and each that is followed has
// to add its own. Where one of them does not, the kernel is followed again
// without that.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;

/// Values over values change nothing.
bool Runtime::hasValues(const Bounded<Written> &List, const Number &Begin,
                        const Number &End) const {
  for (size_t N = List.size(); N--;) {
    const Written &W = List[N];
    if (W.State != Defined::Yes)
      return false;
    if (I.facts().holds(Begin - W.Begin) && I.facts().holds(W.End - End))
      return true;
  }
  return false;
}

/// Adds a piece to what a loop has written so far.
bool Runtime::extendFill(Bounded<Written> &List, const Number &Begin,
                         const Number &End) {
  for (size_t N = List.size(); N--;) {
    Written W = List[N];
    if (W.State != Defined::Yes)
      return false;
    if (!W.Piece || !(W.End == Begin) || !(End - Begin == *W.Piece))
      continue;
    List.eraseIf([&](const Written &Each) { return &Each == &List[N]; });
    W.End = End;
    List.push_back(std::move(W));
    return true;
  }
  return false;
}

/// Values of known places, one after the other, become one. Before the list is
/// full they stay as they are: of pieces, learnFills learns.
void Runtime::joinNeighbours(Bounded<Written> &List) {
  auto IsPlain = [](const Written &W) {
    return W.State == Defined::Yes && !W.Bits && !W.Piece && !W.InRows &&
           W.Begin.isConstant() && W.End.isConstant();
  };
  for (size_t N = List.size(); N-- > 1;) {
    Written &Before = List[N - 1], &After = List[N];
    if (IsPlain(Before) && IsPlain(After) && Before.End == After.Begin) {
      Before.End = After.End;
      After.End = After.Begin; // nothing is left of it
    }
  }
  List.eraseIf(
      [&](const Written &W) { return IsPlain(W) && W.Begin == W.End; });
}

/// All that has values, and was written at once.
std::vector<Fill> Runtime::pieces() const {
  std::vector<Fill> All;
  for (const auto &[R, List] : AllWritten)
    for (const Written &W : List)
      if (W.State == Defined::Yes && !W.Piece)
        All.push_back({R, W.Begin, W.End, W.End - W.Begin});
  return All;
}

/// Before: the pieces an iteration ago.
std::vector<Fill> Runtime::learnFills(ArrayRef<Fill> Before) {
  std::vector<Fill> Learned;
  const std::vector<Fill> Now = pieces();
  for (const Fill &Old : Before)
    for (const Fill &New : Now)
      if (New.In == Old.In && New.Begin == Old.End && New.Piece == Old.Piece &&
          !is_contained(Before, New) && is_contained(Now, Old) &&
          startFill(Old, New))
        Learned.push_back({Old.In, Old.Begin, New.End, Old.Piece});
  return Learned;
}

/// The two become one, if nothing but values lies over them.
bool Runtime::startFill(const Fill &Old, const Fill &New) {
  Bounded<Written> &List = writtenTo(Old.In);
  auto Is = [](const Written &W, const Fill &F) {
    return W.Begin == F.Begin && W.End == F.End && !W.Piece;
  };
  for (size_t N = List.size(); N--;) {
    if (List[N].State != Defined::Yes)
      return false;
    if (Is(List[N], Old))
      break;
  }
  List.eraseIf([&](const Written &W) { return Is(W, Old) || Is(W, New); });
  List.push_back({Old.Begin, New.End, Defined::Yes, {}, Old.Piece});
  return true;
}

/// The memory is filled up to another place.
void Runtime::moveFill(const Fill &From, const Number &End) {
  for (Written &W : writtenTo(From.In))
    if (W.Piece && W.Begin == From.Begin && W.End == From.End)
      W.End = End;
}

bool Runtime::isFilled(const Fill &F) {
  return any_of(writtenTo(F.In), [&](const Written &W) {
    return W.Piece && W.Begin == F.Begin && W.End == F.End;
  });
}
