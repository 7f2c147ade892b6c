//===- OneCore.cpp - Products where one core has both units ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L1 is filled from the unified buffer, and sums leave L0C for it: operands are
// loaded as all tiles are, and what is computed of sums is computed as of any
// tile. Operands that are loaded, and sums that are stored, go a few rows at a
// time, so that the unified buffer does not limit how large they are.
//
// Between the units go blocks. A column in the unified buffer is packed, so it
// goes as the row that lies in memory alike: of operands L1 has the transpose,
// and of sums L0C, where the transposed operands are multiplied in the other
// order.
//
//===----------------------------------------------------------------------===//

#include "passes/DotLowering.h"
#include "passes/expand/GlobalMemory.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Bytes of the unified buffer for what is on its way.
static constexpr int64_t OperandBytes = 32 << 10, SumBytes = 16 << 10;

//===----------------------------------------------------------------------===//
// Which tiles
//===----------------------------------------------------------------------===//

/// What can be loaded for products alone is left to the load.
static void handOperand(OpOperand &Operand) {
  auto Load = withoutCasts(Operand.get()).getDefiningOp<LoadOp>();
  if (Load && isLoadedForProducts(Load) && isForProducts(Load.getTile()))
    return;
  Value Tile = Operand.get();
  if (Tile.getDefiningOp<HandOp>())
    return;
  OpBuilder Builder(Operand.getOwner()->getContext());
  Builder.setInsertionPointAfterValue(Tile);
  Value Handed = HandOp::create(Builder, Tile.getLoc(), Tile);
  Tile.replaceUsesWithIf(
      Handed, [](OpOperand &Use) { return isa<DotOp>(Use.getOwner()); });
}

void passes::handOnOneCore(func::FuncOp Kernel) {
  SmallVector<DotOp> Products;
  Kernel.walk([&](DotOp Product) { Products.push_back(Product); });
  if (Products.empty())
    return;
  for (DotOp Product : Products)
    for (OpOperand &Operand : Product->getOpOperands())
      handOperand(Operand);
  Sums Kept(Kernel, /*OneCore=*/true);
  Kept.splitZeros(Kernel);
  for (Value Sum : Kept.leaving(Kernel)) {
    OpBuilder Builder(Kernel.getContext());
    Builder.setInsertionPointAfterValue(Sum);
    Value Handed = HandOp::create(Builder, Sum.getLoc(), Sum);
    Sum.replaceAllUsesExcept(Handed, Handed.getDefiningOp());
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// A tile of so many rows and columns at most, of which the rows are open.
static RankedTensorType openRows(RankedTensorType Tile, int64_t Rows,
                                 int64_t Cols, int64_t KnownCols) {
  return RankedTensorType::get(
      {ShapedType::kDynamic, KnownCols}, Tile.getElementType(),
      CapacityAttr::get(Tile.getContext(), Rows, Cols));
}

/// Rows of so many bytes that go together, in whole fractals.
static int64_t wholeFractals(int64_t Bytes, int64_t RowBytes) {
  return std::max(Bytes / RowBytes / FractalRows, int64_t(1)) * FractalRows;
}

static bool isColumn(RankedTensorType Tile) {
  return getCapacity(Tile).getCols() == 1 && getCapacity(Tile).getRows() > 1;
}

bool DotLowering::isKeptAsRow(RankedTensorType Sum) const {
  return onOneCore() && isColumn(Sum);
}

/// Room in L1, with zeros in it where rows do not fill fractals.
LogicalResult DotLowering::makeOperand(Operation *For, CubeTile &Tile,
                                       Type Element, int64_t Rows,
                                       int64_t Cols) {
  int64_t C0 = blockElements(Element), Side = std::max(C0, FractalRows);
  Tile.Buffer = makeBuffer(MemorySpace::L1,
                           {int64_t(llvm::alignTo(Cols, Side)) / C0,
                            int64_t(llvm::alignTo(Rows, Side)), C0},
                           Element);
  Value InL1 = Tile.Transposed ? Tile.Cols : Tile.Rows,
        Across = Tile.Transposed ? Tile.Rows : Tile.Cols;
  std::optional<int64_t> Known = getConstantIntValue(InL1),
                         KnownAcross = getConstantIntValue(Across);
  if (Known && *Known > 0 && *Known % Side == 0 && KnownAcross &&
      *KnownAcross > 0)
    return success();
  Value RowsOfFractals = roundUp(atLeast(InL1, 1), Side);
  Value HasRest = arith::CmpIOp::create(B, Loc, arith::CmpIPredicate::ne,
                                        RowsOfFractals, InL1);
  Value IsEmpty = arith::CmpIOp::create(B, Loc, arith::CmpIPredicate::slt,
                                        Across, number(1));
  auto If = scf::IfOp::create(
      B, Loc, B.createOrFold<arith::OrIOp>(Loc, HasRest, IsEmpty),
      /*withElseRegion=*/false);
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPoint(If.thenBlock()->getTerminator());
  CubeFillOp::create(B, Loc, Tile.Buffer, /*one_core=*/true);
  return success();
}

/// What lies side by side in global memory becomes rows of L1.
LogicalResult DotLowering::loadThroughUB(LoadOp Load) {
  RankedTensorType Type = Load.getTile().getType();
  Value View = Load.getView();
  unsigned Rank = Load.getView().getType().getRank();
  CapacityAttr Capacity = getCapacity(Type);
  SmallVector<OpFoldResult> Offsets = Load.getMixedOffsets(),
                            Sizes = Load.getMixedSizes();
  CubeTile Tile{CubeTile::Kind::Operand,
                Rank > 1 ? number(Sizes[Rank - 2]) : number(1),
                number(Sizes.back())};
  int64_t Rows = Capacity.getRows(), Cols = Capacity.getCols(),
          KnownCols = Type.getDimSize(1);
  if (Rank == 1 && isColumn(Type))
    std::swap(Tile.Rows, Tile.Cols);
  bool LiesAsColumns = Rank > 1 && staticStride(View, Rank - 1) != 1;
  Tile.Transposed = LiesAsColumns ? Rows > 1 || Cols == 1 : isColumn(Type);
  if (Tile.Transposed) {
    std::swap(Rows, Cols);
    KnownCols = Type.getDimSize(0);
  }
  if (Tile.Transposed && Rank > 1) {
    std::swap(Offsets[Rank - 1], Offsets[Rank - 2]);
    std::swap(Sizes[Rank - 1], Sizes[Rank - 2]);
    View = transpose(View);
  }
  Loc = Load.getTile().getLoc();
  mlir::Type Element = Type.getElementType();
  if (failed(makeOperand(Load, Tile, Element, Rows, Cols)))
    return failure();
  int64_t Step =
      wholeFractals(OperandBytes, Cols * Element.getIntOrFloatBitWidth() / 8);
  if (Rank == 1 || Step >= Rows) {
    int64_t KnownRows =
        Tile.Transposed ? Type.getDimSize(1) : Type.getDimSize(0);
    auto All = RankedTensorType::get(
        {KnownRows, KnownCols}, Element,
        Type.getEncoding() ? CapacityAttr::get(B.getContext(), Rows, Cols)
                           : Attribute());
    Value AllRows = LoadOp::create(B, Loc, All, View, Offsets, Sizes);
    ToL1Op::create(B, Loc, AllRows, Tile.Buffer, number(0));
  } else {
    Value Extent = number(Sizes[Rank - 2]), First = number(Offsets[Rank - 2]);
    auto Loop = scf::ForOp::create(B, Loc, number(0), Extent, number(Step));
    Value Row = Loop.getInductionVar();
    Row.setLoc(NameLoc::get(B.getStringAttr("row"), Load.getLoc()));
    OpBuilder::InsertionGuard Guard(B);
    B.setInsertionPoint(Loop.getBody()->getTerminator());
    Value Rest = arith::SubIOp::create(B, Loc, Extent, Row);
    Sizes[Rank - 2] =
        arith::MinSIOp::create(B, Loc, Rest, number(Step)).getResult();
    Offsets[Rank - 2] = B.createOrFold<arith::AddIOp>(Loc, First, Row);
    Value Part = LoadOp::create(B, Loc, openRows(Type, Step, Cols, KnownCols),
                                View, Offsets, Sizes);
    ToL1Op::create(B, Loc, Part, Tile.Buffer, Row);
  }
  define(Load.getTile(), Tile);
  kill(*Load);
  return success();
}

/// Of what the vector unit has.
LogicalResult DotLowering::putOperand(HandOp Hand) {
  RankedTensorType Type = Hand.getTile().getType();
  CapacityAttr Capacity = getCapacity(Type);
  Loc = Hand.getLoc();
  auto Extent = [&](unsigned Dim) -> Value {
    if (!Type.isDynamicDim(Dim))
      return number(Type.getDimSize(Dim));
    return tensor::DimOp::create(B, Loc, Hand.getSource(), number(Dim));
  };
  CubeTile Tile{CubeTile::Kind::Operand, Extent(0), Extent(1)};
  int64_t Rows = Capacity.getRows(), Cols = Capacity.getCols();
  Value Lines = Hand.getSource();
  if (isColumn(Type)) {
    Tile.Transposed = true;
    std::swap(Rows, Cols);
    Lines = TransposeOp::create(B, Loc, Lines);
  }
  if (failed(makeOperand(Hand, Tile, Type.getElementType(), Rows, Cols)))
    return failure();
  ToL1Op::create(B, Loc, Lines, Tile.Buffer, number(0));
  define(Hand.getTile(), Tile);
  kill(*Hand);
  return success();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Value DotLowering::getRows(const CubeTile &Sum, RankedTensorType Type,
                           Value Row, ValueRange Sizes) {
  return FromL0COp::create(B, Loc, Type, Sum.Buffer, Row,
                           roundUp(rowsOf(Sum), FractalRows), Sizes);
}

/// A store, after rounding or without, to rows of a matrix.
static StoreOp storeOf(Operation *User) {
  if (isa<arith::TruncFOp>(User) && User->hasOneUse())
    User = *User->user_begin();
  auto Store = dyn_cast<StoreOp>(User);
  return Store && Store.getView().getType().getRank() > 1 ? Store : StoreOp();
}

/// A few rows at a time, where the store was.
void DotLowering::storeSum(Operation *User, const CubeTile &Sum, int64_t Step) {
  StoreOp Store = storeOf(User);
  auto Type = cast<RankedTensorType>(User->getOperand(0).getType());
  RankedTensorType Part =
      openRows(Type, Step, getCapacity(Type).getCols(), Type.getDimSize(1));
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPoint(Store);
  auto Loop = scf::ForOp::create(B, Loc, number(0), Sum.Rows, number(Step));
  Value Row = Loop.getInductionVar();
  Row.setLoc(NameLoc::get(B.getStringAttr("row"), Loc));
  B.setInsertionPoint(Loop.getBody()->getTerminator());
  Value Rest = arith::SubIOp::create(B, Loc, Sum.Rows, Row);
  Value Rows = arith::MinSIOp::create(B, Loc, Rest, number(Step));
  SmallVector<Value> Extents{Rows};
  if (Type.isDynamicDim(1))
    Extents.push_back(Sum.Cols);
  Value Tile = getRows(Sum, Part, Row, Extents);
  if (auto Round = dyn_cast<arith::TruncFOp>(User)) {
    Tile = arith::TruncFOp::create(
        B, Round.getLoc(), Part.clone(getElementTypeOrSelf(Round.getType())),
        Tile);
    kill(*Round);
  }
  SmallVector<OpFoldResult> Offsets = Store.getMixedOffsets(),
                            Sizes = Store.getMixedSizes();
  unsigned Dim = Offsets.size() - 2;
  Offsets[Dim] = B.createOrFold<arith::AddIOp>(Loc, number(Offsets[Dim]), Row);
  Sizes[Dim] = Rows;
  auto New =
      StoreOp::create(B, Store.getLoc(), Tile, Store.getView(), Offsets, Sizes);
  New.setCombineAttr(Store.getCombineAttr());
  kill(*Store);
}

LogicalResult DotLowering::getSum(HandOp Hand) {
  CubeTile Sum = tileOf(Hand.getSource());
  RankedTensorType Type = Hand.getTile().getType();
  Loc = Hand.getLoc();
  mlir::Type Zeros = B.getI8Type();
  if (isa<FloatType>(Type.getElementType()))
    Zeros = B.getF16Type();
  if (failed(complete(Hand, Sum, Type, Zeros)))
    return failure();
  kill(*Hand);
  for (Operation *User : llvm::to_vector(Hand.getTile().getUsers()))
    if (auto Dim = dyn_cast<tensor::DimOp>(User))
      Dim.getSourceMutable().assign(Hand.getSource());
  int64_t Step = wholeFractals(SumBytes, getCapacity(Type).getCols() * 4);
  bool IsStored = llvm::all_of(Hand.getTile().getUsers(), storeOf);
  if (IsStored && !Sum.Transposed && Step < getCapacity(Type).getRows()) {
    for (Operation *User : llvm::to_vector(Hand.getTile().getUsers()))
      storeSum(User, Sum, Step);
    return success();
  }
  RankedTensorType InL0C = Type;
  if (Sum.Transposed)
    InL0C = getTileType(Type.getElementType(),
                        {Type.getDimSize(1), Type.getDimSize(0)},
                        {1, getCapacity(Type).getRows()});
  SmallVector<Value> Extents;
  if (InL0C.isDynamicDim(0))
    Extents.push_back(Sum.Rows);
  if (InL0C.isDynamicDim(1))
    Extents.push_back(Sum.Cols);
  Value Tile = getRows(Sum, InL0C, number(0), Extents);
  if (Sum.Transposed)
    Tile = TransposeOp::create(B, Loc, Tile);
  Hand.getTile().replaceAllUsesWith(Tile);
  return success();
}

LogicalResult DotLowering::lower(HandOp Hand) {
  return isOnCube(Hand.getSource()) ? getSum(Hand) : putOperand(Hand);
}
