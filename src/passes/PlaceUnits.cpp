//===- PlaceUnits.cpp - Tiles that go from one core to the other ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products are the cube core's, all else is the vector core's. Where a tile of
// one is needed by the other, it goes through global memory: into a part of a
// workspace that belongs to this pair of cores alone. That is a store and a
// load like all others, so that bounds, roles, order and cores are proven of
// it.
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "dialect/Pipes.h"
#include "passes/Passes.h"
#include "passes/Sums.h"
#include "passes/TileLowering.h"
#include "passes/expand/GlobalMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace belay::passes {
#define GEN_PASS_DEF_PLACEUNITS
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {
class Placement {
public:
  explicit Placement(func::FuncOp Kernel)
      : Kernel(Kernel), Builder(Kernel.getContext()) {}

  void run();

private:
  void placeOperand(OpOperand &Operand);
  void placeSum(Value Sum);
  bool needsVectorCore();
  Value handOver(Value Tile);
  StringAttr unusedName();
  Value workspaceFor(RankedTensorType Tile, Location Loc);

  func::FuncOp Kernel;
  OpBuilder Builder;
  Value Core;
};
} // namespace

/// "workspace", or what no parameter is called yet.
StringAttr Placement::unusedName() {
  auto IsTaken = [&](const std::string &Name) {
    return llvm::any_of(Kernel.getArguments(), [&](BlockArgument Argument) {
      auto Named = dyn_cast<NameLoc>(Argument.getLoc());
      return Named && Named.getName() == Name;
    });
  };
  std::string Name = "workspace";
  for (unsigned I = 2; IsTaken(Name); ++I)
    Name = "workspace" + std::to_string(I);
  return Builder.getStringAttr(Name);
}

/// One more argument: for each core, room for a tile.
Value Placement::workspaceFor(RankedTensorType Tile, Location Loc) {
  CapacityAttr Capacity = getCapacity(Tile);
  MLIRContext *Context = Kernel.getContext();
  auto Type = MemRefType::get(
      {ShapedType::kDynamic, Capacity.getRows(), Capacity.getCols()},
      Tile.getElementType(), MemRefLayoutAttrInterface(),
      MemorySpaceAttr::get(Context, MemorySpace::GM));
  NamedAttribute Role(StringAttr::get(Context, AscendDialect::RoleAttrName),
                      RoleAttr::get(Context, ascend::Role::PerCore));
  unsigned Index = Kernel.getNumArguments();
  (void)Kernel.insertArgument(Index, Type, DictionaryAttr::get(Context, Role),
                              NameLoc::get(unusedName(), unnamed(Loc)));
  return Kernel.getArgument(Index);
}

/// Stores a tile, and loads it again, where the builder is.
Value Placement::handOver(Value Tile) {
  auto Type = cast<RankedTensorType>(Tile.getType());
  Location Loc = Tile.getLoc();
  if (!Core) {
    OpBuilder AtEntry = OpBuilder::atBlockBegin(&Kernel.getBody().front());
    Core = CoreIndexOp::create(AtEntry, unnamed(Kernel.getLoc()));
  }
  Value Room = workspaceFor(Type, Loc);
  OpFoldResult Zero = Builder.getIndexAttr(0);
  SmallVector<OpFoldResult> Offsets{Core, Zero, Zero};
  SmallVector<OpFoldResult> Sizes{Builder.getIndexAttr(1)};
  for (unsigned Dim : {0, 1}) {
    if (!Type.isDynamicDim(Dim)) {
      Sizes.push_back(Builder.getIndexAttr(Type.getDimSize(Dim)));
      continue;
    }
    Value Which = arith::ConstantIndexOp::create(Builder, Loc, Dim);
    Sizes.push_back(
        tensor::DimOp::create(Builder, Loc, Tile, Which).getResult());
  }
  StoreOp::create(Builder, Loc, Tile, Room, Offsets, Sizes);
  return LoadOp::create(Builder, Loc, Type, Room, Offsets, Sizes);
}

/// An operand comes from global memory to L1. What is loaded for something else
/// as well is loaded twice; what is computed, and what the cube core cannot
/// load, goes out, and in again.
void Placement::placeOperand(OpOperand &Operand) {
  auto Load = withoutCasts(Operand.get()).getDefiningOp<LoadOp>();
  if (Load && isLoadedForProducts(Load)) {
    if (isForProducts(Load.getTile()))
      return;
    return makeOwn(Operand, Load);
  }
  Value Tile = Operand.get();
  if (Operation *Def = Tile.getDefiningOp())
    Builder.setInsertionPointAfter(Def);
  else
    Builder.setInsertionPointToStart(Tile.getParentBlock());
  Value Back = handOver(Tile);
  Tile.replaceUsesWithIf(
      Back, [](OpOperand &Use) { return isa<DotOp>(Use.getOwner()); });
}

void Placement::placeSum(Value Sum) {
  Builder.setInsertionPointAfterValue(Sum);
  SmallVector<OpOperand *> Uses;
  for (OpOperand &Use : Sum.getUses())
    Uses.push_back(&Use);
  Value Back = handOver(Sum);
  for (OpOperand *Use : Uses)
    Use->set(Back);
}

void Placement::run() {
  SmallVector<DotOp> Products;
  Kernel.walk([&](DotOp Product) { Products.push_back(Product); });
  for (DotOp Product : Products)
    for (OpOperand &Operand : Product->getOpOperands())
      placeOperand(Operand);
  if (Products.empty())
    return;
  Sums Kept(Kernel);
  Kept.splitZeros(Kernel);
  for (Value Sum : Kept.leaving(Kernel))
    placeSum(Sum);
  Kernel->setAttr(
      KernelCoreAttrName,
      Builder.getStringAttr(needsVectorCore() ? BothCores : CubeCores));
}

/// Whether more is left than products, their operands, and sums.
bool Placement::needsVectorCore() {
  Sums Kept(Kernel);
  auto IsOfCube = [&](Operation *Op) {
    if (auto Load = dyn_cast<LoadOp>(Op))
      return isForProducts(Load.getTile());
    if (isa<StoreOp, arith::TruncFOp>(Op)) {
      Value Tile = withoutCasts(Op->getOperand(0));
      if (auto Round = Tile.getDefiningOp<arith::TruncFOp>())
        Tile = Round.getIn();
      return Kept.contains(Tile);
    }
    if (isa<SplatOp>(Op))
      return llvm::all_of(Op->getUses(),
                          [&](OpOperand &Use) { return Kept.isKeptBy(Use); });
    return isa<DotOp, tensor::CastOp, tensor::DimOp>(Op) ||
           (productSumOf(Op) && Kept.contains(Op->getResult(0)));
  };
  return Kernel
      .walk([&](Operation *Op) {
        bool OnTiles = llvm::any_of(Op->getOperandTypes(), isTile) ||
                       llvm::any_of(Op->getResultTypes(), isTile);
        bool Skips = !OnTiles || Op->getNumRegions() ||
                     Op->hasTrait<OpTrait::IsTerminator>() || IsOfCube(Op);
        return Skips ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

namespace {
struct PlaceUnitsPass : passes::impl::PlaceUnitsBase<PlaceUnitsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    // Where one core has both units, tiles need no workspace.
    if (Soc->split)
      Placement(Kernel).run();
  }
};
} // namespace
