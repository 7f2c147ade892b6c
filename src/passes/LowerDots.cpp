//===- LowerDots.cpp - Products of tiles become work of the cube ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "dialect/Pipes.h"
#include "passes/DotLowering.h"
#include "passes/Erase.h"
#include "passes/Passes.h"
#include "passes/expand/GlobalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace belay::passes {
#define GEN_PASS_DEF_LOWERDOTS
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

LogicalResult DotLowering::refuse(Operation *Op, const Twine &What) {
  return Op->emitError() << What << " [not-emitted]";
}

Value DotLowering::makeBuffer(MemorySpace Space, ArrayRef<int64_t> Shape,
                              Type Element) {
  auto Type = MemRefType::get(Shape, Element, MemRefLayoutAttrInterface(),
                              MemorySpaceAttr::get(B.getContext(), Space));
  return BufferOp::create(B, Loc, Type, IntegerAttr(), B.getI64IntegerAttr(1),
                          Value());
}

/// Whether columns of a view are what lies side by side in memory.
static bool isTransposed(Value View) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  return Rank > 1 && staticStride(View, Rank - 1) != 1 &&
         staticStride(View, Rank - 2) == 1;
}

static bool isLoadedTransposed(Value Tile) {
  while (auto Cast = Tile.getDefiningOp<tensor::CastOp>())
    Tile = Cast.getSource();
  auto Load = Tile.getDefiningOp<LoadOp>();
  return Load && isTransposed(Load.getView());
}

//===----------------------------------------------------------------------===//
// Between global memory and the core
//===----------------------------------------------------------------------===//

/// A view with its last two dimensions in the other order.
Value DotLowering::transpose(Value View) {
  unsigned Rank = cast<MemRefType>(View.getType()).getRank();
  auto Order = llvm::to_vector(llvm::seq(Rank));
  std::swap(Order[Rank - 1], Order[Rank - 2]);
  AffineMap Map = AffineMap::getPermutationMap(Order, B.getContext());
  return memref::TransposeOp::create(B, Loc, View, AffineMapAttr::get(Map));
}

LogicalResult DotLowering::lower(LoadOp Load) {
  RankedTensorType Type = Load.getTile().getType();
  MemRefType View = Load.getView().getType();
  Loc = Load.getLoc();
  unsigned Rank = View.getRank();
  if (!isForProducts(Load.getTile()))
    return success();
  if (Load.getPad())
    return refuse(Load, "an operand of 'dot' is loaded with padding; load what "
                        "is there, products end with it");
  if (onOneCore())
    return loadThroughUB(Load);
  CapacityAttr Capacity = getCapacity(Type);
  if (Rank == 1 && Capacity.getRows() > 1)
    return refuse(Load, "a column of a view of rank 1 is an operand of 'dot'");
  bool Transposed = isTransposed(Load.getView());
  if (!Transposed && staticStride(Load.getView(), Rank - 1) != 1)
    return refuse(Load, "an operand of 'dot' is loaded from a view of which "
                        "neither rows nor columns lie side by side");
  SmallVector<OpFoldResult> Offsets = Load.getMixedOffsets(),
                            Sizes = Load.getMixedSizes();
  CubeTile Tile{CubeTile::Kind::Operand,
                Rank > 1 ? number(Sizes[Rank - 2]) : number(1),
                number(Sizes.back())};
  mlir::Type Element = Type.getElementType();
  int64_t C0 = blockElements(Element), Side = std::max(C0, FractalRows);
  int64_t Rows = llvm::alignTo(Capacity.getRows(), Side),
          Cols = llvm::alignTo(Capacity.getCols(), Side);
  Loc = Load.getTile().getLoc();
  Value Rowwise = Load.getView();
  // L1 gets what is in memory; the cube transposes on the way to L0.
  if (Transposed) {
    Tile.Transposed = true;
    std::swap(Rows, Cols);
    std::swap(Offsets[Rank - 1], Offsets[Rank - 2]);
    std::swap(Sizes[Rank - 1], Sizes[Rank - 2]);
    Rowwise = transpose(Rowwise);
  }
  Tile.Buffer = makeBuffer(MemorySpace::L1, {Cols / C0, Rows, C0}, Element);
  SmallVector<Value> Begins, Extents;
  SmallVector<int64_t> StaticBegins, StaticExtents;
  dispatchIndexOpFoldResults(Offsets, Begins, StaticBegins);
  dispatchIndexOpFoldResults(Sizes, Extents, StaticExtents);
  CubeInOp::create(B, Loc, Rowwise, Begins, Extents, Tile.Buffer, StaticBegins,
                   StaticExtents);
  define(Load.getTile(), Tile);
  kill(*Load);
  return success();
}

/// Writes zeros to sums that no product may have been added to.
LogicalResult DotLowering::complete(Operation *For, CubeTile &Sum,
                                    RankedTensorType Type, mlir::Type Zeros) {
  if (Sum.What == CubeTile::Kind::Zero &&
      failed(makeSum(For, Sum, Type.clone(sumTypeOf(Zeros)))))
    return failure();
  APInt Known;
  bool IsZero =
      matchPattern(Sum.IsZero, m_ConstantInt(&Known)) && Known.isOne();
  if (IsZero) {
    writeZeros(Loc, Sum, Zeros);
    Sum.IsZero = truth(false);
  } else if (!matchPattern(Sum.IsZero, m_Zero())) {
    auto If = scf::IfOp::create(B, Loc, Sum.IsZero, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPoint(If.thenBlock()->getTerminator());
    writeZeros(Loc, Sum, Zeros);
  }
  return success();
}

LogicalResult DotLowering::lower(StoreOp Store) {
  if (!isOnCube(Store.getTile()))
    return success();
  CubeTile &Sum = tileOf(Store.getTile());
  MemRefType View = Store.getView().getType();
  Loc = Store.getLoc();
  if (Sum.What == CubeTile::Kind::Operand)
    return refuse(Store, "what was loaded for 'dot' is stored as it is, which "
                         "needs a vector core");
  if (View.getRank() == 1 &&
      getCapacity(Store.getTile().getType()).getRows() > 1)
    return refuse(Store, "a column of sums is stored to a view of rank 1");
  if (isTransposed(Store.getView()))
    return refuse(Store, "sums of products are stored to a transposed view; "
                         "multiply the transposed operands in reverse order "
                         "instead, and store that");
  if (staticStride(Store.getView(), View.getRank() - 1) != 1)
    return refuse(Store, "sums of products are stored to a view whose rows do "
                         "not lie side by side");
  Type Element = View.getElementType();
  Type Zeros = isa<FloatType>(Element) ? Element : B.getI8Type();
  if (failed(complete(Store, Sum, Store.getTile().getType(), Zeros)))
    return failure();
  CubeOutOp::create(B, Loc, Sum.Buffer, roundUp(rowsOf(Sum), FractalRows),
                    Store.getView(), Store.getOffsets(), Store.getSizes(),
                    Store.getStaticOffsets(), Store.getStaticSizes(),
                    Store.getCombineAttr());
  kill(*Store);
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Sums that a loop carries stay where they are.
LogicalResult DotLowering::lower(scf::ForOp Loop) {
  SmallVector<Value> Inits;
  SmallVector<std::optional<CubeTile>> Sums;
  Loc = Loop.getLoc();
  for (auto [Init, Argument] :
       llvm::zip_equal(Loop.getInitArgs(), Loop.getRegionIterArgs())) {
    if (!isTile(Init.getType()) || !Kept.contains(Argument)) {
      Inits.push_back(Init);
      Sums.push_back(std::nullopt);
      if (isTile(Init.getType()) && isOnCube(Init))
        return refuse(Loop, "a loop carries a tile of the cube core that is no "
                            "sum of products, or that is used again");
      continue;
    }
    CubeTile Sum = tileOf(Init);
    if (readersOf(Init) != 1)
      return refuse(Loop, "zeros of a sum are used again");
    auto Type = cast<RankedTensorType>(Argument.getType());
    if (Sum.What == CubeTile::Kind::Zero && failed(makeSum(Loop, Sum, Type)))
      return failure();
    Inits.push_back(Sum.IsZero);
    Sums.push_back(Sum);
  }
  auto New = scf::ForOp::create(B, Loc, Loop.getLowerBound(),
                                Loop.getUpperBound(), Loop.getStep(), Inits);
  New->setDiscardableAttrs(Loop->getDiscardableAttrDictionary());
  Block &Body = *New.getBody(), &Old = *Loop.getBody();
  if (!Body.empty())
    Body.back().erase();
  for (auto [From, To, Sum] : llvm::zip_equal(Loop.getRegionIterArgs(),
                                              New.getRegionIterArgs(), Sums)) {
    To.setLoc(Sum ? NameLoc::get(B.getStringAttr("first"), Loc)
                  : From.getLoc());
    if (!Sum) {
      From.replaceAllUsesWith(To);
      continue;
    }
    CubeTile Inside = *Sum;
    Inside.IsZero = To;
    define(From, Inside);
  }
  New.getInductionVar().setLoc(Loop.getInductionVar().getLoc());
  Loop.getInductionVar().replaceAllUsesWith(New.getInductionVar());
  Body.getOperations().splice(Body.end(), Old.getOperations());
  if (failed(lower(Body)))
    return failure();
  auto Yield = cast<scf::YieldOp>(Body.getTerminator());
  for (auto [I, Sum] : llvm::enumerate(Sums)) {
    Value Next = Yield.getOperand(I);
    if (!Sum) {
      if (isOnCube(Next))
        return refuse(Loop, "a loop carries a tile that it computes anew in "
                            "each iteration; add products to it instead");
      Loop.getResult(I).replaceAllUsesWith(New.getResult(I));
      continue;
    }
    const CubeTile &Last = tileOf(Next);
    if (Last.Buffer != Sum->Buffer)
      return refuse(Loop, "a loop carries a tile that it computes anew in each "
                          "iteration; add products to it instead");
    Yield->setOperand(I, Last.IsZero);
    CubeTile After = *Sum;
    After.IsZero = New.getResult(I);
    define(Loop.getResult(I), After);
  }
  kill(*Loop);
  return success();
}

/// Of a branch, or of a loop that ends by data.
LogicalResult DotLowering::lowerRegions(Operation &Op) {
  for (Region &Region : Op.getRegions())
    for (Block &Block : Region) {
      if (failed(lower(Block)))
        return failure();
      for (Value Passed : Block.getTerminator()->getOperands())
        if (isOnCube(Passed))
          return refuse(&Op, "a branch, or a loop that ends by data, makes or "
                             "carries a tile of the cube core");
    }
  for (Value Carried : Op.getOperands())
    if (isOnCube(Carried))
      return refuse(&Op, "a loop that ends by data carries a tile of the cube "
                         "core");
  return success();
}

/// The fixpipe rounds what it stores.
LogicalResult DotLowering::lower(arith::TruncFOp Round) {
  if (!isOnCube(Round.getIn()))
    return success();
  CubeTile Sum = tileOf(Round.getIn());
  bool IsStored = llvm::all_of(Round->getUsers(), [](Operation *User) {
    return isa<StoreOp, tensor::DimOp>(User);
  });
  if (Sum.What == CubeTile::Kind::Operand || !IsStored)
    return refuse(Round, "a tile is rounded for something else than a "
                         "store, which needs a vector core");
  define(Round.getResult(), Sum);
  kill(*Round);
  return success();
}

LogicalResult DotLowering::lower(tensor::DimOp Dim) {
  if (!isOnCube(Dim.getSource()))
    return success();
  std::optional<int64_t> Index = Dim.getConstantIndex();
  if (!Index)
    return Dim.emitOpError("needs a constant dimension");
  const CubeTile &Tile = tileOf(Dim.getSource());
  bool IsFlipped = Tile.What == CubeTile::Kind::Sum && Tile.Transposed;
  Dim.replaceAllUsesWith((*Index == 1) != IsFlipped ? Tile.Cols : Tile.Rows);
  kill(*Dim);
  return success();
}

/// A barrier of all cores is one of cube and vector cores, both of which have
/// to be there. One core with both units has one of its own kind.
LogicalResult DotLowering::lowerBarrier(Operation &Op) {
  if (onOneCore())
    return success();
  auto Cores = Kernel->getAttrOfType<StringAttr>(KernelCoreAttrName);
  if (Cores && Cores.getValue() == BothCores)
    return success();
  return refuse(&Op, "cores of a kernel that only cube cores run wait for each "
                     "other");
}

LogicalResult DotLowering::lower(Operation &Op) {
  B.setInsertionPoint(&Op);
  Loc = Op.getLoc();
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
    return lower(Loop);
  bool OnTiles = llvm::any_of(Op.getOperandTypes(), isTile) ||
                 llvm::any_of(Op.getResultTypes(), isTile);
  if (isa<SyncCoresOp>(Op))
    return lowerBarrier(Op);
  if (Op.getNumRegions())
    return lowerRegions(Op);
  if (!OnTiles || Op.hasTrait<OpTrait::IsTerminator>())
    return success();
  if (std::optional<ProductSum> Sum = productSumOf(&Op))
    return lowerSum(*Sum);
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<LoadOp, StoreOp, SplatOp, DotOp, HandOp, arith::TruncFOp,
            tensor::DimOp>([&](auto Known) { return lower(Known); })
      .Case([&](tensor::CastOp Cast) {
        if (!isOnCube(Cast.getSource()))
          return success();
        define(Cast.getResult(), tileOf(Cast.getSource()));
        kill(*Cast);
        return success();
      })
      .Default([&](Operation *Other) -> LogicalResult {
        if (llvm::none_of(Other->getOperands(),
                          [&](Value Tile) { return isOnCube(Tile); }))
          return success();
        return refuse(Other, "the cube core can load operands, add up "
                             "products, round and store; this needs the vector "
                             "core");
      });
}

LogicalResult DotLowering::lower(Block &Block) {
  for (Operation &Op : llvm::make_early_inc_range(Block))
    if (failed(lower(Op)))
      return failure();
  return success();
}

LogicalResult DotLowering::run() {
  DotOp First;
  WalkResult Known = Kernel.walk([&](DotOp Dot) {
    if (!First)
      First = Dot;
    Type Element = Dot.getLhs().getType().getElementType();
    int64_t Side = std::max(blockElements(Element), FractalRows);
    if (isLoadedTransposed(Dot.getLhs()))
      RowSide = std::max(RowSide, Side);
    if (!isLoadedTransposed(Dot.getRhs()))
      ColSide = std::max(ColSide, Side);
    if (RowSide > FractalRows &&
        Element.getIntOrFloatBitWidth() < Soc.arch->loadTransposeMinBits) {
      (void)refuse(Dot, "the left operand of 'dot' is a transposed view of "
                        "elements that " +
                            Twine(Soc.arch->name) +
                            " transposes for the right operand only");
      return WalkResult::interrupt();
    }
    std::optional<targets::Element> Listed = targetElementOf(Element);
    if (Listed && targets::hasForm(*Soc.arch, "Mmad", *Listed, false))
      return WalkResult::advance();
    (void)refuse(Dot, "'dot' of " + std::string(Soc.arch->name) +
                          " does not become instructions for this type");
    return WalkResult::interrupt();
  });
  if (Known.wasInterrupted())
    return failure();
  if (!First)
    return success();
  if (failed(lower(Kernel.getBody().front())))
    return failure();
  if (!Awaited.empty())
    return Awaited.front()->emitError(
        "the product is added to nothing; this is an error of Belay "
        "[unproven-instruction]");
  eraseTogether(Dead);
  return success();
}

namespace {
struct LowerDotsPass : passes::impl::LowerDotsBase<LowerDotsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(getOperation(), soc);
    if (!Soc)
      return signalPassFailure();
    if (!Soc->split)
      handOnOneCore(getOperation());
    if (failed(DotLowering(getOperation(), *Soc).run()))
      signalPassFailure();
  }
};
} // namespace
