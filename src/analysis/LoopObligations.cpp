//===- LoopObligations.cpp - Loops end ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Names.h"
#include "analysis/Obligations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

static void addFor(scf::ForOp Loop, Terms &T, Obligations &To) {
  if (!isIndexLike(Loop.getStep().getType())) {
    To.push_back({"endless-loop",
                  "the loop counts in 64 bits",
                  Choice{Conjunction()},
                  {}});
    return;
  }
  Value Step = Loop.getStep(), End = Loop.getUpperBound();
  To.push_back({"endless-loop",
                textOf(Step) + " >= 1",
                {{-T.of(Step)}},
                [=](OpBuilder &Builder, Location Loc) {
                  return compare(Builder, Loc, "sge", Step,
                                 Builder.getIndexAttr(1));
                }});
  // The last variable is below the end; one more step is added to it.
  constexpr int64_t Most = std::numeric_limits<int64_t>::max();
  Linear AfterLast = T.of(End) - 1 + T.of(Step);
  To.push_back(
      {"index-overflow",
       textOf(End) + " - 1 + " + textOf(Step) + " fits in 64 bits",
       {{less(T.of(Loop.getLowerBound()), T.of(End)), less(Most, AfterLast)}},
       // The step is positive here.
       [=](OpBuilder &Builder, Location Loc) -> Value {
         Value Limit = arith::ConstantOp::create(
             Builder, Loc, Builder.getIntegerAttr(Step.getType(), Most));
         Value Left = arith::SubIOp::create(Builder, Loc, Limit, Step);
         return compare(Builder, Loc, "sle", End, Left);
       }});
}

/// The conditions that all have to hold for a loop to go on.
static void collectConjuncts(Value Cond, SmallVectorImpl<Value> &To) {
  if (auto And = Cond.getDefiningOp<arith::AndIOp>()) {
    collectConjuncts(And.getLhs(), To);
    collectConjuncts(And.getRhs(), To);
  } else {
    To.push_back(Cond);
  }
}

/// What is at least 1 while the comparison holds, as an expression of values.
static std::optional<std::pair<Value, Value>> distance(Value Cond) {
  auto Compare = Cond.getDefiningOp<arith::CmpIOp>();
  if (!Compare || !isIndexLike(Compare.getLhs().getType()))
    return std::nullopt;
  switch (Compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    return std::make_pair(Compare.getRhs(), Compare.getLhs());
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    return std::make_pair(Compare.getLhs(), Compare.getRhs());
  default:
    return std::nullopt;
  }
}

/// The value that part of a condition has in the next iteration: what is
/// yielded for an argument, the same for what the loop does not change.
static std::optional<Linear> nextValue(Value V, scf::WhileOp Loop, Terms &T) {
  if (!Loop->isAncestor(V.getParentRegion()->getParentOp()))
    return T.of(V);
  if (auto Arg = dyn_cast<BlockArgument>(V))
    return T.of(Loop.getYieldedValues()[Arg.getArgNumber()]);
  Operation *Op = V.getDefiningOp();
  if (auto Constant = getConstantIntValue(V))
    return Linear(*Constant);
  if (!isa<arith::AddIOp, arith::SubIOp>(Op))
    return std::nullopt;
  auto A = nextValue(Op->getOperand(0), Loop, T);
  auto B = nextValue(Op->getOperand(1), Loop, T);
  if (!A || !B)
    return std::nullopt;
  return isa<arith::AddIOp>(Op) ? *A + *B : *A - *B;
}

/// A loop ends if, as long as it goes on, some distance is not negative and
/// each iteration makes it smaller.
static bool hasVariant(scf::WhileOp Loop, Terms &T) {
  SmallVector<Value> Conjuncts;
  collectConjuncts(Loop.getConditionOp().getCondition(), Conjuncts);
  for (Value Cond : Conjuncts) {
    auto Between = distance(Cond);
    if (!Between)
      continue;
    Terms::Scope Here(T);
    T.enter(Loop.getAfter());
    auto High = nextValue(Between->first, Loop, T);
    auto Low = nextValue(Between->second, Loop, T);
    if (!High || !Low)
      continue;
    Linear Now = T.of(Between->first) - T.of(Between->second);
    if (T.solver().implies(less(*High - *Low, Now)))
      return true;
  }
  return false;
}

void analysis::addLoopObligations(Operation *Op, Terms &T, Obligations &To) {
  if (auto For = dyn_cast<scf::ForOp>(Op))
    addFor(For, T, To);
  else if (auto While = dyn_cast<scf::WhileOp>(Op))
    To.push_back({"endless-loop",
                  "the loop ends: what its condition compares comes closer in "
                  "every iteration",
                  hasVariant(While, T) ? Choice() : Choice{Conjunction()},
                  {},
                  /*IsCode=*/false,
                  "on every way through the body, one side has to move towards "
                  "the other by at least 1; a loop that counts is a 'for'"});
}
