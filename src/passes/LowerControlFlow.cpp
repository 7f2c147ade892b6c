//===- LowerControlFlow.cpp - Loops and branches of tiles -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that a loop carries, or that both branches make, has one buffer. Loops
// and branches are left without their tiles.
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// What both carry
//===----------------------------------------------------------------------===//

static SmallVector<unsigned> tilesAmong(TypeRange Types) {
  SmallVector<unsigned> Places;
  for (auto [I, Type] : llvm::enumerate(Types))
    if (isTile(Type))
      Places.push_back(I);
  return Places;
}

static bool sameExtents(const Tile &A, const Tile &B) {
  return isEqualConstantIntOrValue(A.Rows, B.Rows) &&
         isEqualConstantIntOrValue(A.Cols, B.Cols);
}

/// Moves each value into its buffer. All are read before any is written: a loop
/// may exchange what it carries.
LogicalResult TileLowering::yieldInto(Operation *Yield, ValueRange Values,
                                      ArrayRef<Value> Buffers) {
  Builder.setInsertionPoint(Yield);
  SmallVector<Tile> Sources;
  for (auto [Value, Buffer] : llvm::zip_equal(Values, Buffers)) {
    Tile Source = tileOf(Value);
    bool Overwritten = Source.Buffer && Source.Buffer != Buffer &&
                       llvm::is_contained(Buffers, Source.Buffer);
    if (Overwritten) {
      mlir::Value Spare =
          makeBuffer(Yield->getLoc(), bufferTypeFor(Source.Type));
      copy(Yield->getLoc(), Source, Spare);
      Source.Buffer = Spare;
    }
    Sources.push_back(Source);
  }
  for (auto [Source, Buffer] : llvm::zip_equal(Sources, Buffers))
    copy(Yield->getLoc(), Source, Buffer);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What is not among Places.
template <typename Range>
static SmallVector<Value> without(Range &&Values, ArrayRef<unsigned> Places) {
  SmallVector<Value> Kept;
  for (auto [I, Value] : llvm::enumerate(Values))
    if (!llvm::is_contained(Places, I))
      Kept.push_back(Value);
  return Kept;
}

static void replaceAll(ValueRange Old, ValueRange New) {
  for (auto [From, To] : llvm::zip_equal(Old, New))
    From.replaceAllUsesWith(To);
}

/// Moves what a block does to another one, which is empty.
static void moveOperations(Block &From, Block &To) {
  if (!To.empty())
    To.getTerminator()->erase();
  To.getOperations().splice(To.end(), From.getOperations());
}

void TileLowering::carry(Operation *Loop, Value Init, BlockArgument Argument,
                         Value Wanted, CarriedTiles &Carried) {
  Tile From = tileOf(Init);
  Value Buffer = Wanted;
  // Casts of a tile are other values in the same buffer.
  bool TakesOver = !Buffer && From.Buffer &&
                   Init.getParentBlock() == Loop->getBlock() &&
                   !isa<BlockArgument>(Init) && Init.hasOneUse() &&
                   isFreeAt(From.Buffer, Loop);
  if (TakesOver)
    Buffer = From.Buffer;
  else if (!Buffer)
    Buffer = makeBuffer(Argument.getLoc(), bufferTypeFor(From.Type));
  copy(Loop->getLoc(), From, Buffer);
  From.Splat = {};
  From.Buffer = Buffer;
  setTile(Argument, From);
  Carried.Buffers.push_back(Buffer);
  Carried.Tiles.push_back(From);
}

/// Every iteration leaves its tiles where the next one looks for them.
LogicalResult TileLowering::lowerBody(Block &Body, ValueRange Yielded,
                                      const CarriedTiles &Carried) {
  for (auto [Value, Buffer] : llvm::zip_equal(Yielded, Carried.Buffers))
    if (Value.getParentBlock() == &Body)
      prefer(Value, Buffer);
  if (failed(lower(Body)) ||
      failed(yieldInto(Body.getTerminator(), Yielded, Carried.Buffers)))
    return failure();
  for (auto [Value, Init] : llvm::zip_equal(Yielded, Carried.Tiles))
    if (!sameExtents(tileOf(Value), Init))
      return Body.getParentOp()->emitError(
          "the extents of a tile that a loop carries have to stay the same");
  return success();
}

LogicalResult TileLowering::lower(scf::ForOp Loop) {
  SmallVector<unsigned> Places =
      tilesAmong(TypeRange(Loop.getInitArgs().getTypes()));
  if (Places.empty())
    return lower(*Loop.getBody());

  auto Yield = cast<scf::YieldOp>(Loop.getBody()->getTerminator());
  CarriedTiles Carried;
  SmallVector<Value> Yielded;
  Builder.setInsertionPoint(Loop);
  for (unsigned I : Places) {
    carry(Loop, Loop.getInitArgs()[I], Loop.getRegionIterArg(I),
          Preferred.lookup(Loop.getResult(I)), Carried);
    Yielded.push_back(Yield.getOperand(I));
  }
  if (failed(lowerBody(*Loop.getBody(), Yielded, Carried)))
    return failure();
  for (auto [I, Tile] : llvm::zip_equal(Places, Carried.Tiles))
    setTile(Loop.getResult(I), Tile);

  // The loop without its tiles.
  Builder.setInsertionPoint(Loop);
  auto New = scf::ForOp::create(Builder, Loop.getLoc(), Loop.getLowerBound(),
                                Loop.getUpperBound(), Loop.getStep(),
                                without(Loop.getInitArgs(), Places));
  New->setDiscardableAttrs(Loop->getDiscardableAttrDictionary());
  moveOperations(*Loop.getBody(), *New.getBody());
  Yield->setOperands(without(Yield.getOperands(), Places));
  // Emitted code is named after the locations of values.
  New.getInductionVar().setLoc(Loop.getInductionVar().getLoc());
  Loop.getInductionVar().replaceAllUsesWith(New.getInductionVar());
  SmallVector<Value> Kept = without(Loop.getRegionIterArgs(), Places);
  for (auto [From, To] : llvm::zip_equal(Kept, New.getRegionIterArgs()))
    To.setLoc(From.getLoc());
  replaceAll(Kept, New.getRegionIterArgs());
  replaceAll(without(Loop.getResults(), Places), New.getResults());
  eraseLater(*Loop);
  return success();
}

/// Where the result is that a loop ends with what it carries as Argument.
static Value resultOf(scf::WhileOp Loop, BlockArgument Argument) {
  for (auto [Passed, Result] :
       llvm::zip_equal(Loop.getConditionOp().getArgs(), Loop.getResults()))
    if (Passed == Argument)
      return Result;
  return {};
}

/// Its condition is arithmetic (see moveConditions), so that tiles go through
/// it as they are.
LogicalResult TileLowering::lower(scf::WhileOp Loop) {
  SmallVector<unsigned> Places =
      tilesAmong(TypeRange(Loop.getInits().getTypes()));
  SmallVector<unsigned> Passed = tilesAmong(Loop.getResultTypes());
  scf::ConditionOp Condition = Loop.getConditionOp();
  scf::YieldOp Yield = Loop.getYieldOp();
  CarriedTiles Carried;
  SmallVector<Value> Yielded;
  Builder.setInsertionPoint(Loop);
  for (unsigned I : Places) {
    BlockArgument Argument = Loop.getBeforeArguments()[I];
    Value Result = resultOf(Loop, Argument);
    carry(Loop, Loop.getInits()[I], Argument,
          Result ? Preferred.lookup(Result) : Value(), Carried);
    Yielded.push_back(Yield.getOperand(I));
  }
  SmallVector<Value> Arguments(Condition.getArgs());
  for (unsigned I : Passed)
    setTile(Loop.getAfterArguments()[I], tileOf(Arguments[I]));
  if (failed(lowerBody(*Loop.getAfterBody(), Yielded, Carried)))
    return failure();
  for (unsigned I : Passed)
    setTile(Loop.getResult(I), tileOf(Arguments[I]));
  if (Places.empty() && Passed.empty())
    return success();

  // The loop without its tiles.
  Builder.setInsertionPoint(Loop);
  SmallVector<Value> Inits = without(Loop.getInits(), Places),
                     Results = without(Loop.getResults(), Passed);
  auto New = scf::WhileOp::create(Builder, Loop.getLoc(),
                                  ValueRange(Results).getTypes(), Inits);
  New->setDiscardableAttrs(Loop->getDiscardableAttrDictionary());
  auto Move = [&](Block &From, Region &To, ArrayRef<unsigned> Tiles) {
    SmallVector<Value> Kept = without(From.getArguments(), Tiles);
    SmallVector<Location> Locs;
    for (Value Argument : Kept)
      Locs.push_back(Argument.getLoc());
    Block *Body =
        Builder.createBlock(&To, {}, ValueRange(Kept).getTypes(), Locs);
    moveOperations(From, *Body);
    replaceAll(Kept, Body->getArguments());
  };
  Move(*Loop.getBeforeBody(), New.getBefore(), Places);
  Move(*Loop.getAfterBody(), New.getAfter(), Passed);
  Condition.getArgsMutable().assign(without(Condition.getArgs(), Passed));
  Yield->setOperands(without(Yield.getOperands(), Places));
  replaceAll(Results, New.getResults());
  eraseLater(*Loop);
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult TileLowering::lowerBranch(Block &Block,
                                        ArrayRef<unsigned> TileResults,
                                        ArrayRef<Value> Buffers,
                                        SmallVectorImpl<Tile> &Yielded) {
  Operation *Yield = Block.getTerminator();
  SmallVector<Value> Values;
  for (unsigned I : TileResults)
    Values.push_back(Yield->getOperand(I));
  for (auto [Value, Buffer] : llvm::zip_equal(Values, Buffers))
    if (Value.getParentBlock() == &Block)
      prefer(Value, Buffer);
  if (failed(lower(Block)) || failed(yieldInto(Yield, Values, Buffers)))
    return failure();
  for (Value Value : Values)
    Yielded.push_back(tileOf(Value));
  SmallVector<Value> Kept;
  for (auto [I, Value] : llvm::enumerate(Yield->getOperands()))
    if (!llvm::is_contained(TileResults, I))
      Kept.push_back(Value);
  Yield->setOperands(Kept);
  return success();
}

LogicalResult TileLowering::lower(scf::IfOp If) {
  SmallVector<unsigned> TileResults = tilesAmong(If.getResultTypes());
  SmallVector<Value> Buffers;
  Builder.setInsertionPoint(If);
  for (unsigned I : TileResults)
    Buffers.push_back(destinationFor(If.getResult(I)));
  SmallVector<Tile> Then, Else;
  if (failed(
          lowerBranch(If.getThenRegion().front(), TileResults, Buffers, Then)))
    return failure();
  if (!If.getElseRegion().empty() &&
      failed(
          lowerBranch(If.getElseRegion().front(), TileResults, Buffers, Else)))
    return failure();
  if (TileResults.empty())
    return success();

  SmallVector<Type> Kept;
  for (auto [I, Type] : llvm::enumerate(If.getResultTypes()))
    if (!llvm::is_contained(TileResults, I))
      Kept.push_back(Type);
  Builder.setInsertionPoint(If);
  auto New = scf::IfOp::create(Builder, If.getLoc(), Kept, If.getCondition(),
                               /*withElseRegion=*/false);
  New.getThenRegion().takeBody(If.getThenRegion());
  New.getElseRegion().takeBody(If.getElseRegion());
  unsigned Next = 0;
  for (auto [I, Result] : llvm::enumerate(If.getResults()))
    if (!llvm::is_contained(TileResults, I))
      Result.replaceAllUsesWith(New.getResult(Next++));
  for (auto [I, Buffer, A, B] :
       llvm::zip_equal(TileResults, Buffers, Then, Else)) {
    if (!sameExtents(A, B))
      return If.emitError("both branches have to make tiles of the same "
                          "extents");
    setTile(If.getResult(I), {A.Type, Buffer, {}, A.Rows, A.Cols});
  }
  eraseLater(*If);
  return success();
}
