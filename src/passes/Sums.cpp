//===- Sums.cpp - Tiles that are sums of products -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All tiles that could be sums are taken for some; what is none, because it is
// added to something else or read twice, is left out until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "passes/Sums.h"
#include "passes/expand/GlobalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

unsigned passes::readersOf(Value Tile) {
  unsigned Readers = 0;
  for (Operation *User : Tile.getUsers()) {
    if (auto Cast = dyn_cast<tensor::CastOp>(User))
      Readers += readersOf(Cast.getResult());
    else
      Readers += !isa<tensor::DimOp>(User);
  }
  return Readers;
}

bool passes::isForProducts(Value Tile) {
  return llvm::all_of(Tile.getUsers(), [](Operation *User) {
    if (auto Cast = dyn_cast<tensor::CastOp>(User))
      return isForProducts(Cast.getResult());
    return isa<DotOp, tensor::DimOp>(User);
  });
}

Value passes::withoutCasts(Value Tile) {
  while (auto Cast = Tile.getDefiningOp<tensor::CastOp>())
    Tile = Cast.getSource();
  return Tile;
}

bool passes::isZero(Value Number) {
  return matchPattern(Number, m_AnyZeroFloat()) ||
         matchPattern(Number, m_Zero());
}

SplatOp passes::zeroSplatOf(Value Tile) {
  auto Splat = withoutCasts(Tile).getDefiningOp<SplatOp>();
  return Splat && isZero(Splat.getValue()) ? Splat : SplatOp();
}

/// A product that is added to something else, and nothing but that.
static DotOp addedProduct(Value Tile) {
  auto Product = withoutCasts(Tile).getDefiningOp<DotOp>();
  return Product && readersOf(Product.getTile()) == 1 ? Product : DotOp();
}

std::optional<ProductSum> passes::productSumOf(Operation *Op) {
  if (!isa<arith::AddFOp, arith::AddIOp>(Op) ||
      !isTile(Op->getResult(0).getType()))
    return std::nullopt;
  for (unsigned Side : {1, 0})
    if (DotOp Product = addedProduct(Op->getOperand(Side)))
      return ProductSum{Op, Op->getOperand(1 - Side), Product};
  return std::nullopt;
}

static scf::ForOp loopOf(BlockArgument Argument) {
  auto Loop = dyn_cast<scf::ForOp>(Argument.getOwner()->getParentOp());
  return Loop && Argument != Loop.getInductionVar() ? Loop : scf::ForOp();
}

void Sums::collect(Operation *Op) {
  auto Add = [&](Value Tile) {
    if (isTile(Tile.getType()))
      All.insert(Tile);
  };
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    llvm::for_each(Loop.getRegionIterArgs(), Add);
  if (isa<scf::ForOp, DotOp, tensor::CastOp>(Op) || productSumOf(Op))
    llvm::for_each(Op->getResults(), Add);
  if (auto Splat = dyn_cast<SplatOp>(Op); Splat && isZero(Splat.getValue()))
    Add(Splat.getTile());
}

/// Zeros can be had as often as they are read.
static bool isReadOnce(Value Tile) {
  return zeroSplatOf(Tile) || readersOf(withoutCasts(Tile)) == 1;
}

/// Whether a tile is another one with products added to it.
static bool isAddedTo(Value Old, Value Tile) {
  for (;;) {
    Tile = withoutCasts(Tile);
    if (Tile == Old)
      return true;
    Operation *Def = Tile.getDefiningOp();
    if (!Def)
      return false;
    if (auto Loop = dyn_cast<scf::ForOp>(Def))
      Tile = Loop.getTiedLoopInit(cast<OpResult>(Tile))->get();
    else if (std::optional<ProductSum> Sum = productSumOf(Def))
      Tile = Sum->Old;
    else
      return false;
  }
}

bool Sums::isCarriedAsSum(BlockArgument Argument) const {
  scf::ForOp Loop = loopOf(Argument);
  if (!Loop)
    return false;
  Value Init = Loop.getTiedLoopInit(Argument)->get(),
        Next = Loop.getTiedLoopYieldedValue(Argument)->get();
  return contains(Init) && isReadOnce(Init) && contains(Next) &&
         isAddedTo(Argument, Next) && readersOf(withoutCasts(Next)) == 1;
}

bool Sums::holds(Value Tile) const {
  if (auto Argument = dyn_cast<BlockArgument>(Tile))
    return isCarriedAsSum(Argument);
  Operation *Op = Tile.getDefiningOp();
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return contains(Loop.getTiedLoopRegionIterArg(cast<OpResult>(Tile)));
  if (auto Cast = dyn_cast<tensor::CastOp>(Op))
    return contains(Cast.getSource());
  if (isa<DotOp, SplatOp>(Op))
    return true;
  std::optional<ProductSum> Sum = productSumOf(Op);
  return Sum && contains(Sum->Old) && isReadOnce(Sum->Old);
}

Sums::Sums(func::FuncOp Kernel, bool OneCore) : OneCore(OneCore) {
  Kernel.walk([&](Operation *Op) { collect(Op); });
  for (bool Changed = true; Changed;) {
    SmallVector<Value> None;
    for (Value Tile : All)
      if (!holds(Tile))
        None.push_back(Tile);
    for (Value Tile : None)
      All.erase(Tile);
    Changed = !None.empty();
  }
}

/// Whether rows of sums become rows of the view.
static bool canFixpipe(StoreOp Store) {
  unsigned Rank = Store.getView().getType().getRank();
  return staticStride(Store.getView(), Rank - 1) == 1 &&
         (Rank > 1 || getCapacity(Store.getTile().getType()).getRows() == 1);
}

bool Sums::isKeptBy(OpOperand &Use) const {
  Operation *User = Use.getOwner();
  if (isa<tensor::DimOp, HandOp>(User))
    return true;
  if (OneCore && isa<StoreOp, arith::TruncFOp>(User))
    return false;
  if (auto Cast = dyn_cast<tensor::CastOp>(User))
    return llvm::all_of(Cast->getUses(),
                        [&](OpOperand &Next) { return isKeptBy(Next); });
  if (auto Store = dyn_cast<StoreOp>(User))
    return canFixpipe(Store);
  if (isa<arith::TruncFOp>(User))
    return llvm::all_of(User->getUsers(), [](Operation *Reader) {
      auto Store = dyn_cast<StoreOp>(Reader);
      return isa<tensor::DimOp>(Reader) || (Store && canFixpipe(Store));
    });
  if (auto Loop = dyn_cast<scf::ForOp>(User))
    return contains(Loop.getTiedLoopRegionIterArg(&Use));
  if (isa<scf::YieldOp>(User)) {
    auto Loop = dyn_cast<scf::ForOp>(User->getParentOp());
    return Loop && contains(Loop.getRegionIterArg(Use.getOperandNumber()));
  }
  return productSumOf(User) && contains(User->getResult(0));
}

bool passes::isLoadedForProducts(LoadOp Load) {
  unsigned Rank = Load.getView().getType().getRank();
  if (Load.getPad())
    return false;
  if (Rank == 1)
    return getCapacity(Load.getTile().getType()).getRows() == 1 &&
           staticStride(Load.getView(), 0) == 1;
  return staticStride(Load.getView(), Rank - 1) == 1 ||
         staticStride(Load.getView(), Rank - 2) == 1;
}

void passes::makeOwn(OpOperand &Use, Operation *Maker) {
  OpBuilder Builder(Maker->getContext());
  Builder.setInsertionPointAfter(Maker);
  Value Own = Builder.clone(*Maker)->getResult(0);
  if (Own.getType() != Use.get().getType())
    Own = tensor::CastOp::create(Builder, Maker->getLoc(), Use.get().getType(),
                                 Own);
  Use.set(Own);
}

void Sums::splitZeros(func::FuncOp Kernel) const {
  SmallVector<OpOperand *> Uses;
  Kernel.walk([&](Operation *Op) {
    for (OpOperand &Use : Op->getOpOperands())
      if (isTile(Use.get().getType()) && zeroSplatOf(Use.get()) &&
          !isa<StoreOp, tensor::DimOp, tensor::CastOp>(Op) && isKeptBy(Use))
        Uses.push_back(&Use);
  });
  for (OpOperand *Use : Uses) {
    SplatOp Zeros = zeroSplatOf(Use->get());
    if (readersOf(Zeros.getTile()) > 1)
      makeOwn(*Use, Zeros);
  }
}

SmallVector<Value> Sums::leaving(func::FuncOp Kernel) const {
  SmallVector<Value> Result;
  Kernel.walk([&](Operation *Op) {
    bool Makes = isa<DotOp, scf::ForOp>(Op) || productSumOf(Op);
    for (Value Made : Op->getResults())
      if (Makes && contains(Made) &&
          llvm::any_of(Made.getUses(),
                       [&](OpOperand &Use) { return !isKeptBy(Use); }))
        Result.push_back(Made);
  });
  return Result;
}
