//===- WhileLoops.cpp - What loops with conditions say of what they carry -===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop carries is known by induction: what holds before the loop, and in
// each iteration of what holds before that iteration, holds before all of them,
// and after the last.
//
// A loop ends if the distance between two numbers is not negative while it goes
// on, and is smaller in each iteration than in the one before. Then it has at
// most so many iterations as the distance is before it, and one.
//
//===----------------------------------------------------------------------===//

#include "analysis/Terms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

//===----------------------------------------------------------------------===//
// The condition
//===----------------------------------------------------------------------===//

namespace {
/// A condition, and whether it is true.
struct Fact {
  Value Condition;
  bool Holds;
};
} // namespace

/// `A ? B : C`, as front ends write && and ||.
static bool splitChoice(Value Cond, Value &A, Value &B, Value &C) {
  if (auto Select = Cond.getDefiningOp<arith::SelectOp>()) {
    A = Select.getCondition();
    B = Select.getTrueValue();
    C = Select.getFalseValue();
    return true;
  }
  auto If = Cond.getDefiningOp<scf::IfOp>();
  if (!If)
    return false;
  unsigned I = cast<OpResult>(Cond).getResultNumber();
  A = If.getCondition();
  B = If.thenYield().getOperand(I);
  C = If.elseYield().getOperand(I);
  return true;
}

/// All that is known to hold, one by one, if a condition does, or does not.
static void collectFacts(Value Cond, bool Holds, SmallVectorImpl<Fact> &To) {
  if (auto Xor = Cond.getDefiningOp<arith::XOrIOp>();
      Xor && matchPattern(Xor.getRhs(), m_One()))
    return collectFacts(Xor.getLhs(), !Holds, To);
  Operation *Def = Cond.getDefiningOp();
  if (Holds ? isa_and_nonnull<arith::AndIOp>(Def)
            : isa_and_nonnull<arith::OrIOp>(Def)) {
    collectFacts(Def->getOperand(0), Holds, To);
    return collectFacts(Def->getOperand(1), Holds, To);
  }
  Value A, B, C;
  if (splitChoice(Cond, A, B, C)) {
    auto Fails = [&](Value V) {
      APInt Constant;
      return matchPattern(V, m_ConstantInt(&Constant)) &&
             Constant.isZero() == Holds;
    };
    bool WithA = Fails(C), WithoutA = Fails(B);
    if (WithA != WithoutA) {
      collectFacts(A, WithA, To);
      return collectFacts(WithA ? B : C, Holds, To);
    }
  }
  To.push_back({Cond, Holds});
}

static SmallVector<Fact> factsOf(scf::WhileOp Loop) {
  SmallVector<Fact> Facts;
  collectFacts(Loop.getConditionOp().getCondition(), /*Holds=*/true, Facts);
  return Facts;
}

SmallVector<Terms::Distance> Terms::distancesIn(scf::WhileOp Loop) {
  using P = arith::CmpIPredicate;
  SmallVector<Distance> Result;
  for (const Fact &F : factsOf(Loop)) {
    auto Compare = F.Condition.getDefiningOp<arith::CmpIOp>();
    if (!Compare || !isIndexLike(Compare.getLhs().getType()))
      continue;
    Value A = Compare.getLhs(), B = Compare.getRhs();
    P Predicate = F.Holds ? Compare.getPredicate()
                          : arith::invertPredicate(Compare.getPredicate());
    if (Predicate == P::slt || Predicate == P::sle)
      Result.push_back({A, B, Predicate == P::slt});
    else if (Predicate == P::sgt || Predicate == P::sge)
      Result.push_back({B, A, Predicate == P::sgt});
    else if (Predicate == P::ne)
      Result.append({{A, B, std::nullopt}, {B, A, std::nullopt}});
  }
  return Result;
}

std::optional<Linear> Terms::valueWith(Value V, scf::WhileOp Loop,
                                       ValueRange Carried) {
  if (!Loop->isAncestor(V.getParentRegion()->getParentOp()))
    return of(V);
  if (auto Arg = dyn_cast<BlockArgument>(V)) {
    if (Arg.getOwner() != Loop.getBeforeBody())
      return std::nullopt;
    return of(Carried[Arg.getArgNumber()]);
  }
  Operation *Op = V.getDefiningOp();
  bool IsFixed = isPure(Op) && !Op->getNumRegions() &&
                 llvm::all_of(Op->getOperands(), [&](Value Operand) {
                   APInt Constant;
                   return matchPattern(Operand, m_ConstantInt(&Constant)) ||
                          Loop.isDefinedOutsideOfLoop(Operand);
                 });
  if (IsFixed)
    return of(V);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(Op))
    return std::nullopt;
  auto A = valueWith(Op->getOperand(0), Loop, Carried);
  auto B = valueWith(Op->getOperand(1), Loop, Carried);
  if (!A || !B)
    return std::nullopt;
  if (isa<arith::AddIOp>(Op))
    return *A + *B;
  if (isa<arith::SubIOp>(Op))
    return *A - *B;
  return multiply(*A, *B);
}

//===----------------------------------------------------------------------===//
// What the loop carries
//===----------------------------------------------------------------------===//

void Terms::enterBody(scf::WhileOp Loop) {
  scf::ConditionOp Condition = Loop.getConditionOp();
  assume(Condition.getCondition(), true);
  for (auto [Arg, Value] :
       llvm::zip_equal(Loop.getAfterArguments(), Condition.getArgs()))
    if (Arg.getType().isIntOrIndex())
      remember({Arg, Itself}, of(Value));
}

std::optional<Linear> Terms::differenceWith(const Ordered &O, scf::WhileOp Loop,
                                            ValueRange Carried) {
  std::optional<Linear> Low = valueWith(O.Low, Loop, Carried),
                        High = valueWith(O.High, Loop, Carried);
  if (!Low || !High)
    return std::nullopt;
  return *High - *Low + O.Slack;
}

/// Pairs of numbers that are in order before the loop, and may stay so: what it
/// carries, with each other, with where they began, and with what the condition
/// compares.
SmallVector<Terms::Ordered> Terms::findOrdered(scf::WhileOp Loop) {
  SmallVector<Ordered> Result;
  auto Try = [&](const Bound &Low, const Bound &High, int64_t Slack = 0) {
    Ordered New{Low, High, Slack};
    auto First = differenceWith(New, Loop, Loop.getInits());
    if (First && S.implies(*First))
      Result.push_back(std::move(New));
  };
  SmallVector<Distance> Distances = distancesIn(Loop);
  // While the loop goes on they have their distance; the last step may take 1
  // of it away.
  for (const Distance &D : Distances)
    Try({D.Low, {}}, {D.High, {}}, D.Least ? 1 - *D.Least : 0);
  for (auto [Arg, Init] :
       llvm::zip_equal(Loop.getBeforeArguments(), Loop.getInits())) {
    if (!isIndexLike(Arg.getType()))
      continue;
    for (BlockArgument Other : Loop.getBeforeArguments())
      if (Arg != Other && isIndexLike(Other.getType()))
        Try({Arg, {}}, {Other, {}});
    for (const Distance &D : Distances) {
      if (!isa<BlockArgument>(D.High))
        Try({Arg, {}}, {D.High, {}});
      if (!isa<BlockArgument>(D.Low))
        Try({D.Low, {}}, {Arg, {}});
    }
    Try({Arg, {}}, {{}, of(Init)});
    Try({{}, of(Init)}, {Arg, {}});
  }
  return Result;
}

/// All of them are supposed to hold before an iteration; what does not hold
/// before the next one is dropped, until nothing is.
void Terms::keepOrder(scf::WhileOp Loop) {
  SmallVector<Ordered> Kept = findOrdered(Loop);
  auto Now = [&](const Ordered &O) {
    auto At = [&](const Bound &B) { return B.Value ? of(B.Value) : B.Fixed; };
    return At(O.High) - At(O.Low) + O.Slack;
  };
  for (size_t Before = Kept.size() + 1; Kept.size() < Before;) {
    Before = Kept.size();
    Scope Probe(*this);
    for (const Ordered &O : Kept)
      S.assume(Now(O));
    enterBody(Loop);
    llvm::erase_if(Kept, [&](const Ordered &O) {
      auto Next = differenceWith(O, Loop, Loop.getYieldedValues());
      return !Next || !S.implies(*Next);
    });
  }
  for (const Ordered &O : Kept)
    S.assume(Now(O));
}

void Terms::bindCarried(scf::WhileOp Loop) {
  bool IsNew = false;
  std::optional<Linear> Iteration;
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
    if (Found.Step && !Iteration) {
      Iteration = fresh();
      S.assume(atLeast(*Iteration, 0));
    }
    Linear Start = of(Init);
    bool Cyclic = Found.PerCore > 0 &&
                  Start.factorOf(*Index.asVariable()) == Found.PerCore;
    remember({Arg, Itself},
             Cyclic ? cyclic(Start, Found.PerCore, Start)
                    : carried(Start, Found, Iteration, opaque(Arg)));
  }
  if (!IsNew)
    return;
  keepOrder(Loop);
  if (Iteration)
    boundIterations(Loop, *Iteration);
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

//===----------------------------------------------------------------------===//
// How often
//===----------------------------------------------------------------------===//

/// That the condition holds for what this iteration leaves.
void Terms::assumeNextIteration(scf::WhileOp Loop) {
  ValueRange Next = Loop.getYieldedValues();
  for (const Fact &F : factsOf(Loop))
    if (auto Arg = dyn_cast<BlockArgument>(F.Condition);
        Arg && Arg.getOwner() == Loop.getBeforeBody())
      assume(Next[Arg.getArgNumber()], F.Holds);
  for (const Distance &D : distancesIn(Loop)) {
    Ordered Sides{{D.Low, {}}, {D.High, {}}};
    if (auto After = differenceWith(Sides, Loop, Next); After && D.Least)
      S.assume(atLeast(*After, *D.Least));
  }
}

std::optional<Terms::Distance> Terms::findMeasure(scf::WhileOp Loop) {
  for (const Distance &D : distancesIn(Loop)) {
    Scope Probe(*this);
    enterBody(Loop);
    Ordered Sides{{D.Low, {}}, {D.High, {}}};
    auto Next = differenceWith(Sides, Loop, Loop.getYieldedValues());
    Linear Now = of(D.High) - of(D.Low);
    if (!Next || !S.implies(Now))
      continue;
    assumeNextIteration(Loop);
    if (S.implies(less(*Next, Now)))
      return D;
  }
  return std::nullopt;
}

/// Before iteration t, t - 1 iterations have made the measure smaller, and it
/// was not negative in the last of them.
void Terms::boundIterations(scf::WhileOp Loop, const Linear &Iteration) {
  std::optional<Distance> Measure = findMeasure(Loop);
  if (!Measure)
    return;
  Ordered Sides{{Measure->Low, {}}, {Measure->High, {}}};
  if (auto First = differenceWith(Sides, Loop, Loop.getInits()))
    S.assume(Choice{{-Iteration}, {atMost(Iteration, *First + 1)}});
}

bool Terms::ends(scf::WhileOp Loop) {
  Scope Here(*this);
  bindCarried(Loop);
  return findMeasure(Loop).has_value();
}
