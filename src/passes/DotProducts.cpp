//===- DotProducts.cpp - Sums in L0C --------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/DotLowering.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

LogicalResult DotLowering::makeSum(Operation *For, CubeTile &Zero,
                                   RankedTensorType Type) {
  int64_t MostRows = getCapacity(Type).getRows(),
          MostCols = getCapacity(Type).getCols();
  if (isKeptAsRow(Type)) {
    Zero = Zero.flipped();
    std::swap(MostRows, MostCols);
  }
  int64_t Rows = llvm::alignTo(MostRows, RowSide),
          Cols = llvm::alignTo(MostCols, ColSide);
  int64_t Bytes = Rows * Cols * 4;
  if (Bytes > Soc.l0c)
    return For->emitError()
           << "sums of " << Rows << " x " << Cols << " need " << Bytes
           << " bytes of L0C, and " << Soc.l0c << " are there [local-capacity]";
  Zero.Buffer =
      makeBuffer(MemorySpace::L0C, {Cols / FractalRows, Rows, FractalRows},
                 Type.getElementType());
  Zero.What = CubeTile::Kind::Sum;
  Zero.IsZero = truth(true);
  return success();
}

/// Zeros times zeros.
void DotLowering::writeZeros(Location At, const CubeTile &Sum, Type Element) {
  MatrixRoom Room = *sumRoom(cast<MemRefType>(Sum.Buffer.getType()));
  Value Lhs =
            makeFractals(MemorySpace::L0A, Room.Rows / FractalRows, 1, Element),
        Rhs =
            makeFractals(MemorySpace::L0B, 1, Room.Cols / FractalRows, Element);
  CubeFillOp::create(B, At, Lhs, onOneCore());
  CubeFillOp::create(B, At, Rhs, onOneCore());
  CubeMmadOp::create(B, At, Lhs, Rhs, Sum.Buffer, rowsOf(Sum), colsOf(Sum),
                     number(blockElements(Element)), truth(true),
                     /*align_k=*/false, onOneCore());
}

/// A step of k in whole fractals, of which two fit into L0, or at least one.
static int64_t stepOf(const targets::Soc &Soc, int64_t LeftBytes,
                      int64_t RightBytes, int64_t Side) {
  for (int64_t Slots : {2, 1}) {
    int64_t Most =
        std::min(Soc.l0a / (Slots * LeftBytes), Soc.l0b / (Slots * RightBytes));
    if (Most >= Side)
      return Most / Side * Side;
  }
  return 0;
}

/// Adds a product to a sum, in steps of k.
LogicalResult DotLowering::multiply(DotOp Dot, CubeTile &Sum) {
  Type Element = Dot.getLhs().getType().getElementType();
  CubeTile Lhs = tileOf(Dot.getLhs()), Rhs = tileOf(Dot.getRhs());
  CapacityAttr Left = getCapacity(Dot.getLhs().getType()),
               Right = getCapacity(Dot.getRhs().getType());
  int64_t MostRows = Left.getRows(), MostCols = Right.getCols();
  if (Sum.Transposed) {
    std::swap(MostRows, MostCols);
    std::swap(Lhs, Rhs);
    Lhs = Lhs.flipped();
    Rhs = Rhs.flipped();
  }
  if ((Lhs.Transposed || !Rhs.Transposed) && onOneCore() &&
      Element.getIntOrFloatBitWidth() < Soc.arch->loadTransposeMinBits)
    return refuse(Dot,
                  Twine(Soc.arch->name) +
                      " does not transpose elements of this type: it "
                      "multiplies, in steps of more than one element, by a "
                      "right operand that is loaded from a transposed view, "
                      "and a left one that is not");
  int64_t C0 = blockElements(Element), Bytes = 32 / C0,
          Side = std::max(C0, FractalRows);
  int64_t Rows = llvm::alignTo(MostRows, RowSide),
          Cols = llvm::alignTo(MostCols, ColSide),
          Inner = llvm::alignTo(Left.getCols(), Side);
  int64_t Step = std::min(stepOf(Soc, Rows * Bytes, Cols * Bytes, Side), Inner);
  if (!Step)
    return Dot.emitError() << "operands of " << Rows << " rows and " << Cols
                           << " columns do not fit into L0A and L0B, which "
                              "have "
                           << Soc.l0a << " bytes each [local-capacity]";
  Loc = Dot.getLoc();
  Value K = Lhs.Cols;
  auto Loop = scf::ForOp::create(B, Loc, number(0), K, number(Step),
                                 ValueRange(Sum.IsZero));
  Loop.getInductionVar().setLoc(NameLoc::get(B.getStringAttr("k0"), Loc));
  Loop.getRegionIterArg(0).setLoc(NameLoc::get(B.getStringAttr("first"), Loc));
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPointToStart(Loop.getBody());
  Value First = Loop.getInductionVar();
  Value Rest = arith::SubIOp::create(B, Loc, K, First);
  Value Now = B.createOrFold<arith::MinSIOp>(Loc, Rest, number(Step));
  Value InLeft = makeFractals(MemorySpace::L0A, Rows / FractalRows, Step / C0,
                              Element),
        InRight = makeFractals(MemorySpace::L0B, Step / C0, Cols / FractalRows,
                               Element);
  // What the hardware transposes is square.
  Value M = roundUp(rowsOf(Sum), Lhs.Transposed ? Side : FractalRows),
        N = roundUp(colsOf(Sum), Rhs.Transposed ? FractalRows : Side),
        Blocks = roundUp(Now, C0), Squares = roundUp(Now, Side);
  if (Lhs.Transposed)
    CubeLoadOp::create(B, Loc, Lhs.Buffer, First, number(0), Squares, M, InLeft,
                       /*transposed=*/true, onOneCore());
  else
    CubeLoadOp::create(B, Loc, Lhs.Buffer, number(0), First, M, Blocks, InLeft,
                       /*transposed=*/false, onOneCore());
  if (Rhs.Transposed)
    CubeLoadOp::create(B, Loc, Rhs.Buffer, number(0), First, N, Blocks, InRight,
                       /*transposed=*/true, onOneCore());
  else
    CubeLoadOp::create(B, Loc, Rhs.Buffer, First, number(0), Squares, N,
                       InRight, /*transposed=*/false, onOneCore());
  // Transposed in pairs, where fractals follow each other along k.
  bool Pairs = Lhs.Transposed && C0 < FractalRows && !Soc.arch->leftIsNz;
  CubeMmadOp::create(B, Loc, InLeft, InRight, Sum.Buffer, rowsOf(Sum),
                     colsOf(Sum), Now, Loop.getRegionIterArg(0), Pairs,
                     onOneCore());
  scf::YieldOp::create(B, Loc, truth(false));
  Sum.IsZero = Loop.getResult(0);
  return success();
}

/// Of a sum, of which nobody needs the old value any more.
LogicalResult DotLowering::lowerSum(ProductSum Add) {
  Operation *Op = Add.Add;
  if (!Kept.contains(Op->getResult(0)) || readersOf(Add.Old) != 1)
    return refuse(Op, "a product is added to a tile that is no sum of "
                      "products, or that is used again");
  CubeTile Sum = tileOf(Add.Old);
  Loc = Op->getLoc();
  if (Sum.What == CubeTile::Kind::Zero &&
      failed(
          makeSum(Op, Sum, cast<RankedTensorType>(Op->getResult(0).getType()))))
    return failure();
  if (failed(multiply(Add.Product, Sum)))
    return failure();
  Awaited.remove(Add.Product.getOperation());
  define(Op->getResult(0), Sum);
  kill(*Op);
  return success();
}

/// Zeros that products are added to.
LogicalResult DotLowering::lower(SplatOp Splat) {
  bool BecomesSum = isZero(Splat.getValue()) &&
                    llvm::all_of(Splat->getUses(), [&](OpOperand &Use) {
                      return Kept.isKeptBy(Use);
                    });
  if (!BecomesSum)
    return success();
  RankedTensorType Type = Splat.getTile().getType();
  unsigned Next = 0;
  Value Extents[2];
  for (unsigned Dim : {0, 1})
    Extents[Dim] = Type.isDynamicDim(Dim) ? Splat.getSizes()[Next++]
                                          : number(Type.getDimSize(Dim));
  define(Splat.getTile(), {CubeTile::Kind::Zero, Extents[0], Extents[1]});
  kill(*Splat);
  return success();
}

LogicalResult DotLowering::lower(DotOp Dot) {
  kill(*Dot);
  auto IsOperand = [&](Value Tile) {
    return isOnCube(Tile) && tileOf(Tile).What == CubeTile::Kind::Operand;
  };
  if (!IsOperand(Dot.getLhs()) || !IsOperand(Dot.getRhs()))
    return refuse(Dot, "an operand of 'dot' is not loaded from global "
                       "memory");
  const CubeTile &Lhs = tileOf(Dot.getLhs()), &Rhs = tileOf(Dot.getRhs());
  CubeTile Sum{CubeTile::Kind::Zero, Lhs.Rows, Rhs.Cols};
  // The other operand of an addition may be a product as well: that is the sum
  // which this one is added to.
  bool IsAdded = llvm::any_of(Dot->getUsers(), [&](Operation *User) {
    while (isa<tensor::CastOp>(User) && User->hasOneUse())
      User = *User->user_begin();
    std::optional<ProductSum> Sum = productSumOf(User);
    return Sum && Sum->Product == Dot;
  });
  if (IsAdded)
    Awaited.insert(Dot);
  // What is added to a sum is multiplied there.
  if (!IsAdded && (failed(makeSum(Dot, Sum, Dot.getTile().getType())) ||
                   failed(multiply(Dot, Sum))))
    return failure();
  define(Dot.getTile(), Sum);
  return success();
}
