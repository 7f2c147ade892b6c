//===- HoistGuards.cpp - One check for all iterations ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window that moves through a view is outside of it in the last iteration, if
// it ever is; one that moves backwards, in the first. So what a guard in the
// loop would find, a guard before it finds as well, if the condition can be
// computed there. That one iteration speaks for all is proven, for each guard.
//
//===----------------------------------------------------------------------===//

#include "analysis/Prover.h"

#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

namespace {
enum class Extreme { First, Last };
} // namespace

/// Whether a condition that holds in that iteration holds in all.
static bool decides(Value Condition, scf::ForOp Loop, Extreme Which) {
  Solver S;
  Terms T(S, Loop);
  T.enterAllAround(Loop);
  T.enter(Loop.getRegion());
  Linear Failing = T.of(Loop.getInductionVar());
  T.assume(Condition, false);
  T.switchIteration(Loop);
  T.enter(Loop.getRegion());
  Linear Checked = T.of(Loop.getInductionVar());
  S.assume(Which == Extreme::Last ? atMost(Failing, Checked)
                                  : atMost(Checked, Failing));
  // Other guards of that iteration have not been passed yet, before the loop.
  T.assume(Condition, true);
  return S.check() == Solver::Answer::Contradiction;
}

static std::optional<Extreme> decidingIteration(Value Condition,
                                                scf::ForOp Loop) {
  for (Extreme Which : {Extreme::First, Extreme::Last})
    if (decides(Condition, Loop, Which))
      return Which;
  return std::nullopt;
}

/// What has to be computed in the loop for a value, operands first. False if
/// that is more than arithmetic of the loop's variable.
static bool collectSlice(Value Value, scf::ForOp Loop,
                         llvm::SetVector<Operation *> &Slice) {
  if (Value == Loop.getInductionVar() ||
      !Loop->isAncestor(Value.getParentRegion()->getParentOp()))
    return true;
  Operation *Op = Value.getDefiningOp();
  if (!Op || !isPure(Op) || Op->getNumRegions())
    return false;
  for (mlir::Value Operand : Op->getOperands())
    if (!collectSlice(Operand, Loop, Slice))
      return false;
  Slice.insert(Op);
  return true;
}

/// lower + (upper - 1 - lower) / step * step. The loop runs, and that its
/// variable does not leave 64 bits has been seen to.
static Value makeLast(OpBuilder &Builder, scf::ForOp Loop) {
  Location Loc = Loop.getLoc();
  Value From = Loop.getLowerBound(), Step = Loop.getStep();
  Value One = arith::ConstantOp::create(
      Builder, Loc, Builder.getIntegerAttr(From.getType(), 1));
  Value Length =
      arith::SubIOp::create(Builder, Loc, Loop.getUpperBound(), From);
  Value Most = arith::SubIOp::create(Builder, Loc, Length, One);
  Value Steps = arith::DivSIOp::create(Builder, Loc, Most, Step);
  Value Way = arith::MulIOp::create(Builder, Loc, Steps, Step);
  return arith::AddIOp::create(Builder, Loc, From, Way);
}

/// Whether the distance between the ends of a loop is sure to fit in 64 bits.
static bool hasLength(scf::ForOp Loop) {
  Solver S;
  Terms T(S, Loop);
  T.enterAllAround(Loop);
  constexpr int64_t Most = std::numeric_limits<int64_t>::max();
  return S.implies(
      atMost(T.of(Loop.getUpperBound()) - T.of(Loop.getLowerBound()), Most));
}

static bool hoist(ascend::GuardOp Guard, scf::ForOp Loop) {
  llvm::SetVector<Operation *> Slice;
  if (!collectSlice(Guard.getCondition(), Loop, Slice))
    return false;
  auto Which = decidingIteration(Guard.getCondition(), Loop);
  if (!Which || (Which == Extreme::Last && !hasLength(Loop)))
    return false;
  OpBuilder Builder(Loop);
  Location Loc = Guard.getLoc();
  Value Runs =
      arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::slt,
                            Loop.getLowerBound(), Loop.getUpperBound());
  auto If = scf::IfOp::create(Builder, Loc, Runs, /*withElseRegion=*/false);
  Builder.setInsertionPoint(If.thenYield());
  IRMapping Mapping;
  Mapping.map(Loop.getInductionVar(), Which == Extreme::Last
                                          ? makeLast(Builder, Loop)
                                          : Loop.getLowerBound());
  for (Operation *Op : Slice)
    Builder.clone(*Op, Mapping);
  Builder.clone(*Guard, Mapping);
  Guard.erase();
  for (Operation *Op : llvm::reverse(Slice))
    if (isOpTriviallyDead(Op))
      Op->erase();
  return true;
}

void analysis::hoistGuards(func::FuncOp Kernel) {
  Kernel.walk([](scf::ForOp Loop) {
    // Later guards may rely on earlier ones, so they leave in order.
    for (auto Guard :
         llvm::make_early_inc_range(Loop.getBody()->getOps<ascend::GuardOp>()))
      if (!hoist(Guard, Loop))
        return;
  });
}
