//===- Conditions.cpp - What conditions say -------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Terms.h"

#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

/// A condition of which nothing is known.
static Choice anything() { return {Conjunction()}; }

static bool isAnything(const Choice &C) {
  return llvm::any_of(C,
                      [](const Conjunction &Facts) { return Facts.empty(); });
}

static Choice either(Choice A, const Choice &B) {
  if (isAnything(A) || isAnything(B))
    return anything();
  A.append(B);
  return A;
}

static Choice compare(arith::CmpIPredicate Predicate, const Linear &A,
                      const Linear &B) {
  using P = arith::CmpIPredicate;
  switch (Predicate) {
  case P::eq:
    return {equals(A, B)};
  case P::ne:
    return {{less(A, B)}, {less(B, A)}};
  case P::slt:
    return {{less(A, B)}};
  case P::sle:
    return {{atMost(A, B)}};
  case P::sgt:
    return {{less(B, A)}};
  case P::sge:
    return {{atLeast(A, B)}};
  case P::ult:
    // Below a number that is not negative, no negative number is.
    return B.isConstant() && B.constant() >= 0 ? Choice{{A, less(A, B)}}
                                               : anything();
  default:
    return anything();
  }
}

Choice Terms::condition(Value Cond, bool Holds) {
  APInt Constant;
  if (matchPattern(Cond, m_ConstantInt(&Constant)))
    return Constant.isZero() == Holds ? Choice() : anything();
  auto Not = [&](Value V) { return condition(V, !Holds); };
  auto Same = [&](Value V) { return condition(V, Holds); };
  // if (A) B else C, as front ends write && and ||.
  auto Ternary = [&](Value A, Value B, Value C) {
    return either(conjoin(condition(A, true), Same(B)),
                  conjoin(condition(A, false), Same(C)));
  };
  // Nothing is known of it but that it is the same wherever it is asked for.
  auto Unknown = [&]() -> Choice {
    Linear Truth = of(Cond);
    return {{Holds ? Truth - 1 : -Truth}};
  };
  if (auto Compare = Cond.getDefiningOp<arith::CmpIOp>()) {
    if (!Compare.getLhs().getType().isIntOrIndex())
      return anything();
    arith::CmpIPredicate Predicate = Compare.getPredicate();
    return compare(Holds ? Predicate : arith::invertPredicate(Predicate),
                   of(Compare.getLhs()), of(Compare.getRhs()));
  }
  if (auto And = Cond.getDefiningOp<arith::AndIOp>())
    return Holds ? conjoin(Same(And.getLhs()), Same(And.getRhs()))
                 : either(Same(And.getLhs()), Same(And.getRhs()));
  if (auto Or = Cond.getDefiningOp<arith::OrIOp>())
    return Holds ? either(Same(Or.getLhs()), Same(Or.getRhs()))
                 : conjoin(Same(Or.getLhs()), Same(Or.getRhs()));
  if (auto Xor = Cond.getDefiningOp<arith::XOrIOp>()) {
    if (matchPattern(Xor.getRhs(), m_One()))
      return Not(Xor.getLhs());
    return anything();
  }
  if (auto Select = Cond.getDefiningOp<arith::SelectOp>())
    return Ternary(Select.getCondition(), Select.getTrueValue(),
                   Select.getFalseValue());
  if (auto If = Cond.getDefiningOp<scf::IfOp>()) {
    unsigned I = cast<OpResult>(Cond).getResultNumber();
    InBranch Here(*this);
    return Ternary(If.getCondition(), If.thenYield().getOperand(I),
                   If.elseYield().getOperand(I));
  }
  return Cond.getDefiningOp<arith::CmpFOp>() ? Unknown() : anything();
}

void Terms::enter(Region &Region) {
  Operation *Parent = Region.getParentOp();
  if (auto If = dyn_cast<scf::IfOp>(Parent))
    assume(If.getCondition(), &Region == &If.getThenRegion());
  else if (auto For = dyn_cast<scf::ForOp>(Parent))
    enterFor(For);
  else if (auto While = dyn_cast<scf::WhileOp>(Parent))
    enterWhile(While, Region);
}

void Terms::enterAllAround(Operation *Op) {
  if (!isa<func::FuncOp>(Op->getParentOp())) {
    enterAllAround(Op->getParentOp());
    enter(*Op->getParentRegion());
  }
  for (Operation &Before : *Op->getBlock()) {
    if (&Before == Op)
      break;
    if (auto Expects = dyn_cast<ascend::ExpectsOp>(Before))
      assume(Expects.getCondition(), true);
    else if (auto Guard = dyn_cast<ascend::GuardOp>(Before))
      assume(Guard.getCondition(), true);
  }
}
