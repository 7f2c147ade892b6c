//===- KeepNumbers.cpp - Numbers that stay in tiles -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First, which numbers are kept: those that come from a tile of one element,
// and that nothing uses but what makes such a tile again, or computes another
// number that is kept. Then all of them become tiles, in the order of the
// program, so that what a number is computed from has become one before.
//
//===----------------------------------------------------------------------===//

#include "passes/KeepNumbers.h"

#include "dialect/Ascend.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace belay::passes {
#define GEN_PASS_DEF_KEEPNUMBERS
#include "passes/KeepNumbers.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

/// A tile of one element, whatever the launch is. All have one type, so that
/// one can stand for another.
static bool isSingle(Type Type) {
  auto Tile = dyn_cast<RankedTensorType>(Type);
  return Tile && Tile.getShape() == ArrayRef<int64_t>{1, 1};
}

/// Arithmetic that the vector unit does as the scalar unit does it.
static bool computes(Operation *Op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp>(Op) &&
         Op->getResult(0).getType().isF32();
}

namespace {
class Numbers {
public:
  explicit Numbers(func::FuncOp Kernel)
      : Kernel(Kernel), Builder(Kernel.getContext()) {}

  void run();

private:
  void find();
  bool staysInTiles(Value Number) const;
  bool isCarriedAsOne(Value Number) const;

  void keep(Block &Block);
  void keep(scf::ForOp Loop);
  void keep(scf::IfOp If);
  void compute(Operation *Op);
  void yield(Block &Block, ValueRange Results);
  Value tileOf(Value Number, Location Loc);

  func::FuncOp Kernel;
  OpBuilder Builder;
  DenseSet<Value> Kept;
  DenseMap<Value, Value> Tiles;
  SmallVector<Operation *> Dead;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which numbers
//===----------------------------------------------------------------------===//

/// Whether all that uses a number can use a tile instead.
bool Numbers::staysInTiles(Value Number) const {
  return llvm::all_of(Number.getUses(), [&](OpOperand &Use) {
    Operation *Op = Use.getOwner();
    if (auto Splat = dyn_cast<SplatOp>(Op))
      return isSingle(Splat.getTile().getType());
    if (computes(Op))
      return Kept.contains(Op->getResult(0));
    if (auto Loop = dyn_cast<scf::ForOp>(Op)) {
      BlockArgument Argument = Loop.getTiedLoopRegionIterArg(&Use);
      return Argument && Kept.contains(Argument);
    }
    Operation *Around = Op->getParentOp();
    return isa<scf::YieldOp>(Op) && isa<scf::ForOp, scf::IfOp>(Around) &&
           Kept.contains(Around->getResult(Use.getOperandNumber()));
  });
}

/// Of a loop, what it carries and what it results in go together.
bool Numbers::isCarriedAsOne(Value Number) const {
  if (auto Argument = dyn_cast<BlockArgument>(Number)) {
    auto Loop = cast<scf::ForOp>(Argument.getOwner()->getParentOp());
    return Kept.contains(Loop.getTiedLoopResult(Argument));
  }
  auto Loop = Number.getDefiningOp<scf::ForOp>();
  return !Loop ||
         Kept.contains(Loop.getTiedLoopRegionIterArg(cast<OpResult>(Number)));
}

/// Whether a tile has the number, or something that it is computed from, as
/// Known says of others.
static bool comesFromTile(Value Number, const DenseSet<Value> &Known) {
  auto From = [&](Value Other) { return Known.contains(Other); };
  if (auto Argument = dyn_cast<BlockArgument>(Number)) {
    auto Loop = cast<scf::ForOp>(Argument.getOwner()->getParentOp());
    return From(Loop.getTiedLoopInit(Argument)->get()) ||
           From(Loop.getTiedLoopYieldedValue(Argument)->get());
  }
  Operation *Op = Number.getDefiningOp();
  if (isa<tensor::ExtractOp>(Op))
    return true;
  unsigned Index = cast<OpResult>(Number).getResultNumber();
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return From(Loop.getRegionIterArg(Index));
  if (auto If = dyn_cast<scf::IfOp>(Op))
    return From(If.thenYield().getOperand(Index)) ||
           From(If.elseYield().getOperand(Index));
  return llvm::any_of(Op->getOperands(), From);
}

void Numbers::find() {
  SetVector<Value> All;
  auto Add = [&](Value Number) {
    if (Number.getType().isF32())
      All.insert(Number);
  };
  Kernel.walk([&](Operation *Op) {
    if (auto Extract = dyn_cast<tensor::ExtractOp>(Op)) {
      if (isSingle(Extract.getTensor().getType()))
        All.insert(Extract.getResult());
    } else if (computes(Op) || isa<scf::IfOp>(Op)) {
      llvm::for_each(Op->getResults(), Add);
    } else if (auto Loop = dyn_cast<scf::ForOp>(Op)) {
      llvm::for_each(Loop.getRegionIterArgs(), Add);
      llvm::for_each(Loop.getResults(), Add);
    }
  });
  Kept.insert(All.begin(), All.end());
  // Whatever is left out may take others with it.
  auto Restrict = [&] {
    bool Changed = false;
    for (Value Number : All)
      if (Kept.contains(Number) &&
          !(isCarriedAsOne(Number) && staysInTiles(Number)))
        Changed |= Kept.erase(Number);
    return Changed;
  };
  // Numbers that a loop only computes from themselves come from no tile.
  auto Root = [&] {
    DenseSet<Value> Rooted;
    bool Grows = true;
    while (Grows) {
      Grows = false;
      for (Value Number : All)
        if (Kept.contains(Number) && comesFromTile(Number, Rooted))
          Grows |= Rooted.insert(Number).second;
    }
    bool Changed = Rooted.size() != Kept.size();
    Kept = std::move(Rooted);
    return Changed;
  };
  while (Restrict() || Root())
    ;
}

//===----------------------------------------------------------------------===//
// Tiles instead
//===----------------------------------------------------------------------===//

/// The tile that a number has become, or one that is made of it.
Value Numbers::tileOf(Value Number, Location Loc) {
  if (Value Tile = Tiles.lookup(Number))
    return Tile;
  auto Type = RankedTensorType::get({1, 1}, Number.getType());
  return SplatOp::create(Builder, Loc, Type, Number, ValueRange());
}

void Numbers::compute(Operation *Op) {
  Builder.setInsertionPoint(Op);
  SmallVector<Value> Operands;
  for (Value Operand : Op->getOperands())
    Operands.push_back(tileOf(Operand, Op->getLoc()));
  Operation *Tile =
      Builder.create(Op->getLoc(), Op->getName().getIdentifier(), Operands,
                     Operands.front().getType(), Op->getAttrs());
  Tiles[Op->getResult(0)] = Tile->getResult(0);
  Dead.push_back(Op);
}

/// Yields tiles for the results that are kept.
void Numbers::yield(Block &Block, ValueRange Results) {
  Operation *Yield = Block.getTerminator();
  Builder.setInsertionPoint(Yield);
  for (auto [Operand, Result] :
       llvm::zip_equal(Yield->getOpOperands(), Results))
    if (Kept.contains(Result))
      Operand.set(tileOf(Operand.get(), Yield->getLoc()));
}

void Numbers::keep(scf::IfOp If) {
  keep(*If.thenBlock());
  if (If.elseBlock())
    keep(*If.elseBlock());
  if (llvm::none_of(If.getResults(),
                    [&](Value Each) { return Kept.contains(Each); }))
    return;
  yield(*If.thenBlock(), If.getResults());
  yield(*If.elseBlock(), If.getResults());
  Builder.setInsertionPoint(If);
  auto New =
      scf::IfOp::create(Builder, If.getLoc(), If.thenYield().getOperandTypes(),
                        If.getCondition(), /*withElseRegion=*/true);
  New.getThenRegion().takeBody(If.getThenRegion());
  New.getElseRegion().takeBody(If.getElseRegion());
  for (auto [Old, Result] :
       llvm::zip_equal(If.getResults(), New.getResults())) {
    if (Kept.contains(Old))
      Tiles[Old] = Result;
    else
      Old.replaceAllUsesWith(Result);
  }
  Dead.push_back(If);
}

void Numbers::keep(scf::ForOp Loop) {
  if (llvm::none_of(Loop.getResults(),
                    [&](Value Each) { return Kept.contains(Each); }))
    return keep(*Loop.getBody());
  Builder.setInsertionPoint(Loop);
  SmallVector<Value> Inits;
  for (auto [Init, Result] :
       llvm::zip_equal(Loop.getInitArgs(), Loop.getResults()))
    Inits.push_back(Kept.contains(Result) ? tileOf(Init, Loop.getLoc()) : Init);
  auto New = scf::ForOp::create(Builder, Loop.getLoc(), Loop.getLowerBound(),
                                Loop.getUpperBound(), Loop.getStep(), Inits);
  New->setAttrs(Loop->getAttrs());
  // Old arguments stay until nothing is left that uses them.
  Block &Old = *Loop.getBody();
  for (auto [Argument, Next] :
       llvm::zip_equal(Old.getArguments(), New.getBody()->getArguments())) {
    Next.setLoc(Argument.getLoc());
    if (Kept.contains(Argument))
      Tiles[Argument] = Next;
    else
      Argument.replaceAllUsesWith(Next);
  }
  New.getBody()->getOperations().splice(New.getBody()->end(),
                                        Old.getOperations());
  keep(*New.getBody());
  yield(*New.getBody(), Loop.getResults());
  for (auto [Result, Next] :
       llvm::zip_equal(Loop.getResults(), New.getResults())) {
    if (Kept.contains(Result))
      Tiles[Result] = Next;
    else
      Result.replaceAllUsesWith(Next);
  }
  Dead.push_back(Loop);
}

void Numbers::keep(Block &Block) {
  for (Operation &Op : llvm::make_early_inc_range(Block)) {
    if (auto Loop = dyn_cast<scf::ForOp>(Op)) {
      keep(Loop);
    } else if (auto If = dyn_cast<scf::IfOp>(Op)) {
      keep(If);
    } else if (Op.getNumRegions()) {
      for (Region &Region : Op.getRegions())
        for (mlir::Block &Inner : Region)
          keep(Inner);
    } else if (auto Splat = dyn_cast<SplatOp>(Op)) {
      if (Value Tile = Tiles.lookup(Splat.getValue())) {
        Splat.getTile().replaceAllUsesWith(Tile);
        Dead.push_back(Splat);
      }
    } else if (Op.getNumResults() == 1 && Kept.contains(Op.getResult(0))) {
      if (auto Extract = dyn_cast<tensor::ExtractOp>(Op)) {
        Tiles[Extract.getResult()] = Extract.getTensor();
        Dead.push_back(Extract);
      } else {
        compute(&Op);
      }
    }
  }
}

void Numbers::run() {
  // What all elements of one come to is that one.
  Kernel.walk([](ReduceOp Reduce) {
    if (isSingle(Reduce.getSource().getType())) {
      Reduce.getTile().replaceAllUsesWith(Reduce.getSource());
      Reduce.erase();
    }
  });
  find();
  keep(Kernel.getBody().front());
  for (Operation *Op : Dead)
    Op->dropAllReferences();
  for (Operation *Op : Dead)
    Op->erase();
}

namespace {
struct KeepNumbersPass : passes::impl::KeepNumbersBase<KeepNumbersPass> {
  using Base::Base;

  void runOnOperation() override {
    if (!getOperation().isExternal())
      Numbers(getOperation()).run();
  }
};
} // namespace
