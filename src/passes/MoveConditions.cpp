//===- MoveConditions.cpp - Conditions of loops that take instructions ----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The condition of an scf.while is computed once more than its body is
// executed. Flags that go from one iteration to the next are raised and awaited
// equally often only inside of one block; so all instructions of a loop are in
// its body:
//
//   while (c(a)) a = b(a);     go = true;
//                              while (go) {
//                                go = c(a);
//                                if (go) a = b(a);
//                              }
//
// A condition that is arithmetic stays where it is: what it says holds in all
// of the body.
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Whether a condition needs the scalar unit alone, and no memory.
static bool isArithmetic(Block &Condition) {
  for (Operation &Op : Condition.without_terminator()) {
    WalkResult OnTiles = Op.walk([](Operation *Inner) {
      bool Is = llvm::any_of(Inner->getOperandTypes(), isTile) ||
                llvm::any_of(Inner->getResultTypes(), isTile);
      return Is ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (OnTiles.wasInterrupted() || !isMemoryEffectFree(&Op))
      return false;
  }
  return true;
}

namespace {
/// One loop, made anew.
class Mover {
public:
  explicit Mover(scf::WhileOp Loop)
      : Loop(Loop), Condition(Loop.getConditionOp()), Builder(Loop) {}

  LogicalResult move();

private:
  LogicalResult findResults();
  scf::WhileOp makeLoop();
  SmallVector<Value> makeBranch(ValueRange Carried);

  scf::WhileOp Loop;
  scf::ConditionOp Condition;
  OpBuilder Builder;
  /// What the condition computes and the loop ends with.
  SmallVector<Value> Computed;
  SmallVector<Value> Inits;
};
} // namespace

/// What is computed for the condition, and used after the loop, is carried as
/// well. It is computed at least once.
LogicalResult Mover::findResults() {
  Location Loc = Loop.getLoc();
  Inits.push_back(
      arith::ConstantOp::create(Builder, Loc, Builder.getBoolAttr(true)));
  llvm::append_range(Inits, Loop.getInits());
  for (auto [Passed, Result] :
       llvm::zip_equal(Condition.getArgs(), Loop.getResults())) {
    Operation *Def = Passed.getDefiningOp();
    if (Result.use_empty() || !Def || !Loop->isAncestor(Def) ||
        llvm::is_contained(Computed, Passed))
      continue;
    if (isTile(Passed.getType()))
      return Def->emitError("a tile that is made in the condition of a loop is "
                            "used after the loop; make it before the loop and "
                            "in its body");
    Computed.push_back(Passed);
    Inits.push_back(arith::ConstantOp::create(
        Builder, Loc, Builder.getZeroAttr(Passed.getType())));
  }
  return success();
}

/// An empty loop that goes on as long as what it carries first is true.
scf::WhileOp Mover::makeLoop() {
  SmallVector<Type> Types(ValueRange(Inits).getTypes());
  SmallVector<Location> Locs{
      NameLoc::get(Builder.getStringAttr("goes_on"), Loop.getLoc())};
  for (BlockArgument Argument : Loop.getBeforeArguments())
    Locs.push_back(Argument.getLoc());
  for (Value Passed : Computed)
    Locs.push_back(Passed.getLoc());
  auto New = scf::WhileOp::create(Builder, Loop.getLoc(), Types, Inits);
  New->setDiscardableAttrs(Loop->getDiscardableAttrDictionary());
  Block *Before = Builder.createBlock(&New.getBefore(), {}, Types, Locs);
  scf::ConditionOp::create(Builder, Loop.getLoc(), Before->getArgument(0),
                           Before->getArguments());
  Builder.createBlock(&New.getAfter(), {}, Types, Locs);
  return New;
}

/// The old body, where the condition holds; else what is carried stays.
SmallVector<Value> Mover::makeBranch(ValueRange Carried) {
  Location Loc = Loop.getLoc();
  Block *Body = Loop.getAfterBody();
  bool DoesNothing = Body->without_terminator().empty() && Carried.empty();
  if (DoesNothing)
    return {};
  auto If = scf::IfOp::create(Builder, Loc, Carried.getTypes(),
                              Condition.getCondition(),
                              /*withElseRegion=*/!Carried.empty());
  for (auto [Argument, Passed] :
       llvm::zip_equal(Body->getArguments(), Condition.getArgs()))
    Argument.replaceAllUsesWith(Passed);
  Block *Then = If.thenBlock();
  if (!Then->empty())
    Then->getTerminator()->erase();
  Then->getOperations().splice(Then->end(), Body->getOperations());
  if (!Carried.empty()) {
    OpBuilder::InsertionGuard Guard(Builder);
    Builder.setInsertionPointToEnd(If.elseBlock());
    scf::YieldOp::create(Builder, Loc, Carried);
  }
  return SmallVector<Value>(If.getResults());
}

LogicalResult Mover::move() {
  if (failed(findResults()))
    return failure();
  scf::WhileOp New = makeLoop();
  ValueRange Carried = New.getAfterArguments();
  Carried = Carried.slice(1, Loop.getInits().size());
  for (auto [Old, Now] : llvm::zip_equal(Loop.getBeforeArguments(), Carried))
    Old.replaceAllUsesWith(Now);
  Block *Before = Loop.getBeforeBody();
  auto &Operations = New.getAfterBody()->getOperations();
  Operations.splice(Operations.end(), Before->getOperations(), Before->begin(),
                    Condition->getIterator());
  Builder.setInsertionPointToEnd(New.getAfterBody());
  SmallVector<Value> Yields{Condition.getCondition()};
  llvm::append_range(Yields, makeBranch(Carried));
  llvm::append_range(Yields, Computed);
  scf::YieldOp::create(Builder, Loop.getLoc(), Yields);

  // What the loop ended with is what the condition was last told.
  for (auto [Passed, Result] :
       llvm::zip_equal(Condition.getArgs(), Loop.getResults())) {
    Value Last = Passed;
    if (auto *Found = llvm::find(Computed, Passed); Found != Computed.end())
      Last = New.getResult(1 + Carried.size() + (Found - Computed.begin()));
    else if (auto Argument = dyn_cast<BlockArgument>(Passed);
             Argument && Argument.getOwner() == New.getAfterBody())
      Last = New.getResult(Argument.getArgNumber());
    Result.replaceAllUsesWith(Last);
  }
  Condition->erase();
  Loop->erase();
  return success();
}

LogicalResult TileLowering::moveConditions() {
  SmallVector<scf::WhileOp> Loops;
  Kernel.walk([&](scf::WhileOp Loop) {
    if (!isArithmetic(*Loop.getBeforeBody()))
      Loops.push_back(Loop);
  });
  for (scf::WhileOp Loop : Loops)
    if (failed(Mover(Loop).move()))
      return failure();
  return success();
}
