//===- Loops.cpp - What loops say of their variables ----------------------===//
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
  return {std::nullopt, S.implies(Difference), S.implies(-Difference)};
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

void Terms::enterFor(scf::ForOp Loop) {
  // On the way of another core that is in the same iteration.
  if (Memo.contains({Loop.getInductionVar(), Itself}))
    return;
  Linear From = of(Loop.getLowerBound()), To = of(Loop.getUpperBound());
  Linear Step = of(Loop.getStep());
  std::optional<Linear> Iteration;
  Linear Variable;
  // Cores in turn: from c*core_index + d, in steps of c*core_count. Then the
  // variable is c*t + d where t is congruent to the index of the core.
  DynamicAPInt C = Step.factorOf(*Count.asVariable());
  if (C > 0 && Step == Count * C && From.factorOf(*Index.asVariable()) == C) {
    Linear T = fresh(To);
    S.assume(atLeast(T, Index));
    Congruent.push_back(T);
    Variable = (T - Index) * C + From;
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

void Terms::enterBody(scf::WhileOp Loop) {
  scf::ConditionOp Condition = Loop.getConditionOp();
  assume(Condition.getCondition(), true);
  for (auto [Arg, Value] :
       llvm::zip_equal(Loop.getAfterArguments(), Condition.getArgs()))
    if (Arg.getType().isIntOrIndex())
      remember({Arg, Itself}, of(Value));
}

void Terms::keepOrder(scf::WhileOp Loop) {
  for (auto [I, Low] : llvm::enumerate(Loop.getBeforeArguments()))
    for (auto [J, High] : llvm::enumerate(Loop.getBeforeArguments())) {
      if (I == J || !isIndexLike(Low.getType()) ||
          !isIndexLike(High.getType()) ||
          !S.implies(of(Loop.getInits()[J]) - of(Loop.getInits()[I])))
        continue;
      bool IsKept;
      {
        Scope Probe(*this);
        S.assume(of(High) - of(Low));
        enterBody(Loop);
        IsKept = S.implies(of(Loop.getYieldedValues()[J]) -
                           of(Loop.getYieldedValues()[I]));
      }
      if (IsKept)
        S.assume(of(High) - of(Low));
    }
}

void Terms::bindCarried(scf::WhileOp Loop) {
  bool IsNew = false;
  for (auto [Arg, Init, Next] :
       llvm::zip_equal(Loop.getBeforeArguments(), Loop.getInits(),
                       Loop.getYieldedValues())) {
    if (!isIndexLike(Arg.getType()) || Memo.contains({Arg, Itself}))
      continue;
    IsNew = true;
    Change Found;
    {
      Scope Probe(*this);
      enterBody(Loop);
      Found = changeOf(Arg, Next);
    }
    Linear Start = of(Init);
    remember({Arg, Itself}, carried(Start, Found, std::nullopt, opaque(Arg)));
  }
  if (IsNew)
    keepOrder(Loop);
}

void Terms::enterWhile(scf::WhileOp Loop, Region &Region) {
  bindCarried(Loop);
  if (&Region == &Loop.getAfter())
    enterBody(Loop);
}

/// What the loop carries when its condition fails.
Linear Terms::whileResult(scf::WhileOp Loop, unsigned Number) {
  if (Branches)
    return opaque(Loop.getResult(Number));
  bindCarried(Loop);
  scf::ConditionOp Condition = Loop.getConditionOp();
  assume(Condition.getCondition(), false);
  SmallVector<std::pair<Value, Linear>> Results;
  for (auto [Result, Value] :
       llvm::zip_equal(Loop.getResults(), Condition.getArgs()))
    if (isIndexLike(Result.getType()))
      Results.push_back({Result, of(Value)});
  // What has been translated is the last iteration, of which only the results
  // are left.
  switchIteration(Loop);
  for (const auto &[Result, Expr] : Results)
    if (Result != Loop.getResult(Number))
      remember({Result, Itself}, Expr);
  return llvm::find_if(Results,
                       [&](const auto &Found) {
                         return Found.first == Loop.getResult(Number);
                       })
      ->second;
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
