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
