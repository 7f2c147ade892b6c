//===- Loops.cpp - What loops that count say of their variables -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"
#include "analysis/Terms.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

Terms::Change Terms::changeOf(Value Arg, Value Next) {
  Linear Difference = of(Next) - of(Arg);
  if (Difference.isConstant())
    return {Difference.constant()};
  DynamicAPInt PerCore = Difference.factorOf(*Count.asVariable());
  if (PerCore <= 0 || !(Difference == Count * PerCore))
    PerCore = 0;
  return {std::nullopt, S.implies(Difference), S.implies(-Difference), PerCore};
}

Linear Terms::carried(const Linear &Init, const Change &Change,
                      std::optional<Linear> Iteration, const Linear &Unknown) {
  if (Change.Step) {
    if (!Iteration) {
      Iteration = fresh();
      S.assume(atLeast(*Iteration, 0));
    }
    return Init + *Iteration * *Change.Step;
  }
  if (Change.Grows)
    S.assume(atLeast(Unknown, Init));
  if (Change.Shrinks)
    S.assume(atMost(Unknown, Init));
  return Unknown;
}

/// Cyclic distribution: from c*core_index + d, in steps of c*core_count. Then a
/// number is c*t + d where t is congruent to the index of the core.
Linear Terms::cyclic(const Linear &From, const DynamicAPInt &C,
                     const Linear &To) {
  Linear T = fresh(To);
  S.assume(atLeast(T, Index));
  Congruent.push_back(T);
  return (T - Index) * C + From;
}

/// Where a loop ends that has begun. If it ends at 0 unless a condition holds,
/// the condition does hold.
Linear Terms::limitOf(scf::ForOp Loop, const Linear &From) {
  Value To = Loop.getUpperBound();
  auto If = To.getDefiningOp<scf::IfOp>();
  unsigned I = If ? cast<OpResult>(To).getResultNumber() : 0;
  if (!If || !isConstantIntValue(If.elseYield().getOperand(I), 0) ||
      !S.impliesAtOnce(From))
    return of(To);
  assume(If.getCondition(), true);
  Linear Then = of(If.thenYield().getOperand(I));
  S.assume(equals(of(To), Then));
  return Then;
}

void Terms::enterFor(scf::ForOp Loop) {
  // On the way of another core that is in the same iteration.
  if (Memo.contains({Loop.getInductionVar(), Itself}))
    return;
  Linear From = of(Loop.getLowerBound());
  Linear To = limitOf(Loop, From);
  Linear Step = of(Loop.getStep());
  std::optional<Linear> Iteration;
  Linear Variable;
  DynamicAPInt C = Step.factorOf(*Count.asVariable());
  if (C > 0 && Step == Count * C && From.factorOf(*Index.asVariable()) == C) {
    Variable = cyclic(From, C, To);
  } else if (Step.isConstant()) {
    Iteration = fresh({From, To});
    S.assume(atLeast(*Iteration, 0));
    Variable = From + *Iteration * Step.constant();
  } else {
    // That the step is positive has its own obligation.
    Variable = fresh({From, To, Step});
    S.assume(atLeast(Variable, From));
  }
  S.assume(less(Variable, To));
  remember({Loop.getInductionVar(), Itself}, Variable);
  addName(nameOf(Loop.getInductionVar()), Variable, /*IsArgument=*/false);

  for (auto [Arg, Init, Next] :
       llvm::zip_equal(Loop.getRegionIterArgs(), Loop.getInitArgs(),
                       Loop.getYieldedValues())) {
    if (!isIndexLike(Arg.getType()))
      continue;
    Change Found;
    {
      Scope Probe(*this);
      Found = changeOf(Arg, Next);
    }
    Linear Start = of(Init);
    remember({Arg, Itself}, carried(Start, Found, Iteration, opaque(Arg)));
  }
}

Linear Terms::loopResult(scf::ForOp Loop, unsigned Number) {
  Change Found;
  {
    Scope Probe(*this);
    enterFor(Loop);
    Found = changeOf(Loop.getRegionIterArg(Number),
                     Loop.getYieldedValues()[Number]);
  }
  Linear Init = of(Loop.getInitArgs()[Number]);
  Linear Step = of(Loop.getStep());
  std::optional<Linear> Iterations;
  if (Step.isConstant() && Step.constant() > 0) {
    Linear Length = of(Loop.getUpperBound()) - of(Loop.getLowerBound());
    Iterations = fresh(Length);
    Linear Covered = *Iterations * Step.constant();
    Conjunction None = equals(*Iterations, 0);
    None.push_back(-Length);
    S.assume(Choice{
        None,
        {Length - 1, atLeast(Covered, Length), less(Covered - Step, Length)}});
  }
  return carried(Init, Found, Iterations, opaque(Loop.getResult(Number)));
}
