//===- Workspaces.cpp - What other blocks wrote before a barrier ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block reads of a workspace after a SyncAll and has not written itself,
// others have to have written before it. Such a read is taken to have values,
// and is noted. Once all paths are known, whichever way the blocks went to the
// barrier, they have to have written all of it: each a part of its own, one
// after another, or block 0 everything.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;

/// All that this block has written to workspaces, at a barrier of all cores.
void Runtime::arriveAtBarrier() {
  // On another path, a barrier in a loop may be another one of so many.
  BarriersCounted = BarriersCounted && !I.inLoop();
  KernelState::Arrival Here = {
      Phase, BarriersCounted, I.facts(), I.trail(), {}};
  for (const auto &[R, List] : AllWritten)
    if (isWorkspace(R))
      for (size_t N = List.size(); N--;) {
        // Of what lies below bytes without values, nothing is said.
        if (List[N].State != Defined::Yes)
          break;
        Here.Wrote.push_back({globalNumber(R), List[N].Begin, List[N].End});
      }
  Kernel.Arrivals.push_back(std::move(Here));
}

/// Whether a number is the same in all blocks that have the same index.
static bool isOfIndex(const Symbols &Names, const Number &N) {
  return N.fits() && !Names.any(N, [](const Symbol &S) {
    bool Computed = !(S.Divisor == Number()) || S.Chosen;
    return S.PerBlock || S.Iteration ||
           (!Computed && S.From != Origin::Launch && S.From != Origin::Block &&
            S.From != Origin::Blocks);
  });
}

static bool usesIndex(const Symbols &Names, const Number &N) {
  return Names.any(N, [](const Symbol &S) { return S.From == Origin::Block; });
}

/// What is known of the launch of these paths, whichever block this is.
Facts Runtime::factsOfLaunch(ArrayRef<const Facts *> OfPaths) const {
  const Symbols &Names = Kernel.Names;
  Facts Result(Kernel.Names);
  for (const Facts *Of : OfPaths)
    for (const Number &Fact : Of->all())
      if (isOfIndex(Names, Fact) && !usesIndex(Names, Fact))
        Result.assume(Fact);
  return Result;
}

/// Whether parts like the one that this block has written, [Begin, End), make
/// up all that is read, if the first blocks have all written theirs. How many
/// these are may be a condition of the launch.
std::optional<KernelState::PartOfBlock>
Runtime::partsMakeUp(const Number &Begin, const Number &End, const Event &E,
                     const Operand &Read) {
  Symbols &Names = I.symbols();
  if (!isOfIndex(Names, Begin) || !isOfIndex(Names, End) ||
      !usesIndex(Names, Begin))
    return std::nullopt;
  const Number Block = blockNumber(LaunchNumber::Kind::Block);
  Facts OfLaunch = factsOfLaunch({&I.facts()});
  OfLaunch.assume(numberOfCores() - Block - Number(2));
  std::optional<Number> First = inBlock(Number(), Begin, OfLaunch),
                        Next = inBlock(Block + Number(1), Begin, OfLaunch);
  if (!First || !Next || !I.facts().holds(Read.Begin - *First))
    return std::nullopt;
  const Number Apart = *Next - Begin;
  Number Far = Read.Begin + Read.Span - *First;
  // Rows that are as far apart as the parts may be shorter than that.
  if (Read.Pitch && *Read.Pitch == Apart && Read.Begin == *First &&
      I.facts().holds(End - Begin - Read.Certain))
    Far = Read.Span - Read.Certain + Apart;
  else if (!OfLaunch.holds(End - *Next))
    return std::nullopt;
  if (usesIndex(Names, Apart) || !OfLaunch.holds(Apart))
    return std::nullopt;
  // So many blocks, if parts have a length that is known; else all of them.
  std::optional<Number> Blocks;
  if (Apart.isConstant() && Apart.constant() > 0) {
    int64_t Each = Apart.constant();
    Blocks = Far.dividedBy(Each);
    if (!Blocks && Far.isConstant() && Far.constant() > 0)
      Blocks = Number((Far.constant() + Each - 1) / Each);
  }
  if (Blocks && !usesIndex(Names, *Blocks)) {
    const Number Spare = numberOfCores() - *Blocks;
    if (!I.facts().holds(Spare))
      Kernel.requireNotNegative(Topic::Values, E.At,
                                "whether there are as many blocks as have to "
                                "write what is read is decided by the launch",
                                Spare);
    return KernelState::PartOfBlock{Begin, End, *Blocks};
  }
  std::optional<Number> All = Number::multiply(Apart, numberOfCores());
  if (!All)
    return std::nullopt;
  if (!I.facts().holds(*All - Far))
    Kernel.requireNotNegative(Topic::Values, E.At,
                              "whether all blocks together write what is read "
                              "is decided by the launch",
                              *All - Far);
  return KernelState::PartOfBlock{Begin, End, numberOfCores()};
}

/// Takes bytes of a workspace to have values, if other blocks can have written
/// them before the last barrier.
bool Runtime::relyOnBlocks(const Event &E, const Operand &O) {
  if (!Phase || !BarriersCounted || Kernel.BothHalves || CrossSynced ||
      Kernel.isSettled(Topic::Values))
    return false;
  KernelState::Reliance New = {
      Phase - 1, globalNumber(O.In), E.At, I.trail(), {}, {}, {}};
  Bounded<Written> &List = writtenTo(O.In);
  for (size_t N = List.size(); N-- && !New.Part;) {
    const Written W = List[N];
    if (W.State != Defined::Yes)
      break;
    New.Part = partsMakeUp(W.Begin, W.End, E, O);
  }
  const Number End = O.Begin + O.Span;
  if (!New.Part) {
    for (const Number &N : {O.Begin, End})
      if (!isOfIndex(Kernel.Names, N) || usesIndex(Kernel.Names, N))
        return false;
    New.Begin = O.Begin;
    New.End = End;
  }
  Kernel.Reliances.push_back(std::move(New));
  return true;
}

/// Whether a block that went this way to the barrier has written [Begin, End),
/// where Known holds.
static bool hasWritten(const KernelState::Arrival &Of, unsigned Argument,
                       const Number &Begin, const Number &End,
                       const Facts &Known) {
  return any_of(Of.Wrote, [&](const KernelState::Contribution &W) {
    return W.Argument == Argument && Known.holds(Begin - W.Begin) &&
           Known.holds(W.End - End);
  });
}

void KernelState::compareWorkspaces() {
  constexpr unsigned Most = 4000;
  const Number Block =
      Number::symbol(Names.get("GetBlockIdx()", [] { return Symbol(); }));
  unsigned Compared = 0;
  auto IsWritten = [&](const Reliance &R) {
    return all_of(Arrivals, [&](const Arrival &A) {
      if (A.Barrier != R.Barrier || !coexist(A.Trail, R.Trail))
        return true;
      if (!A.Counted || ++Compared > Most)
        return false;
      // Of blocks that write nothing, it need not be known.
      Number Last = R.Part ? R.Part->Blocks - Number(1) : Number();
      if (A.Known.holds(Block - Last - Number(1)))
        return true;
      Facts OfWriter = A.Known;
      OfWriter.assume(Last - Block);
      return R.Part ? hasWritten(A, R.Argument, R.Part->Begin, R.Part->End,
                                 OfWriter)
                    : hasWritten(A, R.Argument, R.Begin, R.End, OfWriter);
    });
  };
  for (const Reliance &R : Reliances) {
    if (isDoubted(Topic::Values))
      return;
    if (!IsWritten(R))
      unknown(Topic::Values, R.At,
              "whether other blocks have written what is read is not known");
  }
}
