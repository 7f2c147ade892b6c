//===- FactChoices.cpp - Numbers chosen from two, in proofs ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Number.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace belay::check;

Facts Facts::where(SymbolId S, bool Then) const {
  const Alternatives Of = *Known[S].Chosen;
  // A copy, for which values have to be found.
  constexpr unsigned Cost = 16;
  Known.Searched += Cost;
  Facts Result = *this;
  ++Result.Splits;
  // Only where another fact speaks of it: each is one more to try.
  if (any_of(List, [S](const Number &Fact) { return Fact.uses(S); })) {
    Number Is = Number::symbol(S) - (Then ? Of.Then : Of.Else);
    Result.assume(Is);
    Result.assume(Number() - Is);
  }
  if (!Of.Equality) {
    Result.assume(Then ? Of.Yes : Of.No);
  } else if (Then) {
    Result.assume(Of.Yes);
    Result.assume(Number() - Of.Yes);
  } else if (holds(Of.Yes)) {
    Result.assume(Of.Yes - Number(1));
  } else if (holds(Number() - Of.Yes)) {
    Result.assume(Number(-1) - Of.Yes);
  }
  return Result;
}

/// Whether the first of the two was chosen, if that is known.
std::optional<bool> Facts::isChosen(const Alternatives &Of) const {
  if (Of.Equality) {
    if (holds(Of.Yes - Number(1)) || holds(Number(-1) - Of.Yes))
      return false;
    return isZero(Of.Yes) ? std::optional(true) : std::nullopt;
  }
  if (holds(Of.Yes))
    return true;
  return holds(Of.No) ? std::optional(false) : std::nullopt;
}

Number Facts::settled(Number N) const {
  SmallVector<SymbolId, 4> Chosen;
  N.forEachSymbol([&](SymbolId S) {
    if (Known[S].Chosen && !is_contained(Chosen, S))
      Chosen.push_back(S);
  });
  for (SymbolId S : Chosen) {
    const Alternatives Of = *Known[S].Chosen;
    std::optional<bool> Then = isChosen(Of);
    if (std::optional<Number> By =
            Then ? N.replace(S, *Then ? Of.Then : Of.Else) : std::nullopt)
      N = *By;
  }
  return N;
}

void Facts::settleChoice(const Number &N) {
  std::optional<SymbolId> S = Known.findChosen(N);
  if (!S)
    return;
  const Alternatives Of = *Known[*S].Chosen;
  for (bool Then : {true, false}) {
    std::optional<Number> Other = N.replace(*S, Then ? Of.Else : Of.Then);
    if (!Other || !holds(Number(-1) - *Other))
      continue;
    unsigned Before = Splits;
    *this = where(*S, Then);
    Splits = Before;
    return;
  }
}

/// S is the smaller one and only taken away, or the larger one and only added.
bool Facts::boundedByEither(const Number &N, SymbolId S) const {
  auto [Times, Rest] = N.split(S);
  if (Times.uses(S))
    return false;
  switch (Known[S].Chosen->Is) {
  case Alternatives::Which::Either:
    return false;
  case Alternatives::Which::Smaller:
    return holds(Number() - Times);
  case Alternatives::Which::Larger:
    return holds(Times);
  }
  llvm_unreachable("all of them are handled");
}

/// What was chosen is replaced by what it was chosen from: by one of them, if
/// that is enough, else by both, each where it is the one.
bool Facts::proveChosen(const Number &N) const {
  constexpr unsigned MostSplits = 3;
  std::optional<SymbolId> S = Known.findChosen(N);
  if (!S || Splits >= MostSplits)
    return false;
  const Alternatives Of = *Known[*S].Chosen;
  std::optional<Number> Then = N.replace(*S, Of.Then),
                        Else = N.replace(*S, Of.Else);
  if (!Then || !Else)
    return false;
  if (boundedByEither(N, *S) && (holds(*Then) || holds(*Else)))
    return true;
  if (std::optional<bool> Only = isChosen(Of))
    return where(*S, *Only).holds(*Only ? *Then : *Else);
  return where(*S, true).holds(*Then) && where(*S, false).holds(*Else);
}
