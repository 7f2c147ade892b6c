//===- Typical.cpp - What holds in launches of some size ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mistake whose extent the launch decides is a condition where launches can
// be expected to meet it: that n is a multiple of 8, or that one part ends
// before the next begins. Nobody launches a kernel that only works for n = 1.
// What happens in every launch whose numbers are not tiny is a mistake.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;

/// The launches among these in which no number is tiny that these depend on.
/// Nothing if there are none, or if they depend on something else.
std::optional<Facts> Runtime::ofSomeSize(const Facts &Known,
                                         ArrayRef<Number> About) const {
  constexpr int64_t Some = 64;
  Facts Result = Known;
  bool Followed = true;
  std::function<void(SymbolId)> Assume = [&](SymbolId S) {
    const Symbol &Of = Kernel.Names[S];
    if (Of.PerBlock || Of.Chosen)
      Followed = false;
    else if (!(Of.Divisor == Number()))
      Of.Dividend.forEachSymbol(Assume), Of.Divisor.forEachSymbol(Assume);
    else if (Of.From == Origin::Launch)
      Result.assume(Number::symbol(S) - Number(Some));
    else
      Followed &= Of.From == Origin::Block || Of.From == Origin::Blocks;
  };
  for (const Number &N : About) {
    Followed &= N.fits();
    N.forEachSymbol(Assume);
  }
  return Followed && Result.arePossible() ? std::optional(Result)
                                          : std::nullopt;
}

/// Those of them in which nothing is left of what is divided, and in which all
/// numbers that the path leaves open are of some size.
std::optional<Facts> Runtime::ofEvenSize(const Facts &Known,
                                         const Number &About) const {
  constexpr int64_t Some = 64;
  Facts Result = Known;
  auto AssumeIfPossible = [&](const Number &N) {
    Facts With = Result;
    With.assume(N);
    if (With.arePossible())
      Result = With;
  };
  bool Followed = About.fits();
  SmallVector<SymbolId, 8> Seen;
  std::function<void(SymbolId)> Assume = [&](SymbolId S) {
    if (is_contained(Seen, S))
      return;
    Seen.push_back(S);
    const Symbol &Of = Kernel.Names[S];
    Followed &= !Of.PerBlock;
    if (!Followed)
      return;
    if (Of.Chosen) {
      for (const Number *Part : {&Of.Chosen->Then, &Of.Chosen->Else})
        Part->forEachSymbol(Assume);
      return;
    }
    if (!(Of.Divisor == Number())) {
      Of.Dividend.forEachSymbol(Assume), Of.Divisor.forEachSymbol(Assume);
      // What is rounded up has one less than the divisor in it.
      int64_t Up = Of.Divisor.isConstant() && Of.Divisor.constant() > 0
                       ? Of.Dividend.constant() % Of.Divisor.constant()
                       : 0;
      if (std::optional<Number> Back =
              Number::multiply(Number::symbol(S), Of.Divisor);
          Back && Up >= 0) {
        AssumeIfPossible(*Back - Of.Dividend + Number(Up));
        AssumeIfPossible(Of.Dividend - Number(Up) - *Back);
      }
    } else if (Of.From != Origin::Block && Of.From != Origin::Blocks) {
      Followed &= Of.From == Origin::Launch;
    }
    if (Of.From != Origin::Block && Of.From != Origin::Blocks)
      AssumeIfPossible(Number::symbol(S) - Number(Some));
  };
  About.forEachSymbol(Assume);
  return Followed && Result.arePossible() ? std::optional(Result)
                                          : std::nullopt;
}

/// Tiles that are one too many, or elements for bytes: what does not fit in any
/// launch of some size in which nothing is left of what is divided. What fits
/// into a fixed number of bytes is for the host to know.
void Runtime::noteTight(clang::SourceLocation At, const Operand &O,
                        const Number &Room, sim::wording::Text Text) {
  constexpr size_t Most = 32;
  if (Kernel.Proving || Room.isConstant() || !Room.fits() ||
      Tight.size() >= Most || any_of(Tight, [&](const TightPlace &Old) {
        return Old.At == At && Old.Room == Room;
      }))
    return;
  bool Global = Regions[O.In].Where == sim::Space::GM;
  Tight.push_back({Room, At, Global ? O.TensorBytes : std::nullopt,
                   std::move(Text), bufferOf(O), I.facts().all().size(),
                   Kernel.Found.choices()});
}

/// A launch in which Room is below zero, if it is in all such launches.
std::optional<std::string> Runtime::neverFits(const Facts &Known,
                                              const Number &Room) const {
  std::optional<Facts> Even = ofEvenSize(Known, Room);
  return Even && Even->holds(Number(-1) - Room) ? Even->example(Room)
                                                : std::nullopt;
}

/// A launch in which Room is below zero, if it is never above: the last tile
/// has a full tile's length, and what is left of a division is passed over.
/// Whole blocks are copied where there is no other copy.
std::optional<std::string> Runtime::fitsOnlyExactly(const Facts &Known,
                                                    const Number &Room) const {
  if (Kernel.Target.arch->copiesWholeBlocks() || !Known.holds(Number() - Room))
    return std::nullopt;
  Facts Less = Known;
  Less.assume(Number(-1) - Room);
  return Less.arePossible() ? Less.example(Room) : std::nullopt;
}

/// What is known without taking buffers to fit; see holdsInAnyRoom.
Facts Runtime::inAnyRoom(const Facts &Known) const {
  Facts Result(I.symbols());
  for (const Number &Fact : Known.all())
    if (!is_contained(RoomFacts, Fact))
      Result.assume(Fact);
  return Result;
}

/// At the end of the path it is known how often its loops have run.
void Runtime::findWhatNeverFits() {
  if (Tight.empty())
    return;
  const Facts Known = inAnyRoom(I.facts());
  struct Short {
    const TightPlace *Of;
    std::string Example;
    bool Before; ///< By what was known when it was reached.
  };
  std::vector<Short> Found;
  for (const TightPlace &Each : Tight) {
    if (Kernel.TightQuestions == 0)
      break;
    --Kernel.TightQuestions;
    bool KnowsRest = Each.Rest && is_contained(UsedRests, *Each.Rest);
    std::optional<std::string> When = neverFits(Known, Each.Room);
    if (!When && KnowsRest)
      When = fitsOnlyExactly(Known, Each.Room);
    if (!When)
      continue;
    Facts Before(I.symbols());
    for (const Number &Fact : I.facts().all().take_front(Each.Facts))
      Before.assume(Fact);
    Before = inAnyRoom(Before);
    Found.push_back({&Each, *When,
                     neverFits(Before, Each.Room) ||
                         (KnowsRest && fitsOnlyExactly(Before, Each.Room))});
  }
  // What was taken to fit there does not.
  erase_if(Kernel.Expected, [&](const Number &N) {
    return any_of(Found, [&](const Short &S) { return S.Of->Room == N; });
  });
  for (Short &S : Found) {
    sim::wording::Text Text = S.Of->Text;
    Text.Message += "; as for " + S.Example;
    Kernel.find("tensor-out-of-bounds", {S.Of->At, ""}, {}, Text, S.Of->Buffer,
                {S.Of->Room, true}, S.Before ? S.Of->Choices : ~size_t(0));
  }
}

/// Whether End lies after Shorter in every launch of some size.
bool Runtime::isLonger(const Number &End, const Number &Shorter) const {
  const Number Rest = End - Shorter - Number(1), Never = Number(-1) - Rest;
  // Proofs find nothing.
  if (Kernel.Proving || !I.facts().counterexample(Never))
    return false;
  if (I.facts().holds(Rest))
    return true;
  std::optional<Facts> Typical = ofSomeSize(I.facts(), Rest);
  return Typical && Typical->holds(Rest);
}

/// A launch in which X and Y of the next block, at Begin, are the same bytes in
/// part, if they are in all launches in which both are used.
std::optional<std::string> Runtime::meetsUsually(const Number &Next,
                                                 const Operand &X,
                                                 const Number &Begin,
                                                 const Number &Certain) {
  if (Kernel.Proving)
    return std::nullopt;
  Facts Both = I.facts();
  Both.assume(numberOfCores() - Next - Number(1));
  for (const Number &F : I.facts().all()) {
    std::optional<Number> There = inBlock(Next, F, Both);
    if (!There)
      return std::nullopt;
    Both.assume(*There);
  }
  Both.assume(X.Certain - Number(1));
  Both.assume(Certain - Number(1));
  const Number Apart = Begin - X.Begin;
  auto Meet = [&](const Facts &Known) {
    return Known.holds(X.Certain - Apart - Number(1)) &&
           Known.holds(Apart + Certain - Number(1));
  };
  std::optional<Facts> Typical;
  if (!Meet(Both)) {
    Typical = ofSomeSize(Both, {Apart, X.Certain, Certain});
    if (!Typical || !Meet(*Typical))
      return std::nullopt;
  }
  Facts &Met = Typical ? *Typical : Both;
  if (std::optional<std::string> Example =
          Met.counterexample(Apart - X.Certain))
    return Example;
  Met.assume(X.Certain - Apart - Number(1));
  return Met.arePossible() ? std::optional<std::string>(
                                 "all launches in which two blocks come here")
                           : std::nullopt;
}
