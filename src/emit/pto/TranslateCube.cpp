//===- TranslateCube.cpp - The cube core ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers of the cube core have the fractals that PTO's tiles have. Operands
// and sums are packed by what is in use, not by the space for them
// (`compact=1`), as the cube reads and writes them.
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;
using ascend::MemorySpace;

/// Rows of a fractal.
static constexpr int64_t FractalRows = 16;

static MemRefType typeOf(Value Buffer) {
  return cast<MemRefType>(Buffer.getType());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// How a buffer of the cube core is a matrix.
struct Fractals {
  Space Where;
  int64_t Rows, Cols;
  bool ColMajor;
  Box Order;
  int64_t Bytes;
  /// Packed by what is in use.
  bool Packed;
};
} // namespace

static Fractals fractalsOf(MemRefType Buffer) {
  ArrayRef<int64_t> Shape = Buffer.getShape();
  constexpr int64_t Operand = 512, Sum = 1024;
  switch (*ascend::getSpace(Buffer)) {
  case MemorySpace::L1:
    return {Space::Mat, Shape[1], Shape[0] * Shape[2], true, Box::RowMajor,
            Operand,    false};
  case MemorySpace::L0A:
    return {Space::Left, Shape[0] * Shape[2], Shape[1] * Shape[3],
            false,       Box::RowMajor,       Operand,
            true};
  case MemorySpace::L0B:
    return {Space::Right, Shape[0] * Shape[3], Shape[1] * Shape[2],
            false,        Box::ColMajor,       Operand,
            true};
  case MemorySpace::L0C:
    return {Space::Acc, Shape[1], Shape[0] * Shape[2], true, Box::RowMajor,
            Sum,        true};
  default:
    llvm_unreachable("no memory of the cube core");
  }
}

/// The fractals of a matrix in L1 are those of its transpose, if both their
/// order and that of their elements are read the other way.
TileBufType Translator::typeOfMatrix(MemRefType Buffer, bool Transposed,
                                     Value Rows, Value Cols) {
  Fractals F = fractalsOf(Buffer);
  if (Transposed) {
    std::swap(F.Rows, F.Cols);
    F.ColMajor = false;
    F.Order = Box::ColMajor;
  }
  auto Extent = [&](Value Valid, int64_t Space) {
    return Valid || Who == Sync::Ptoas ? ShapedType::kDynamic : Space;
  };
  return TileBufType::get(Builder.getContext(), F.Where, F.Rows, F.Cols,
                          Buffer.getElementType(), Extent(Rows, F.Rows),
                          Extent(Cols, F.Cols), F.ColMajor, F.Order, F.Bytes,
                          Pad::Null, F.Packed ? 1 : 0);
}

Value Translator::matrixAt(Value Buffer, Value Rows, Value Cols,
                           bool Transposed) {
  return place(Buffer, typeOfMatrix(typeOf(Buffer), Transposed, Rows, Cols),
               Rows, Cols);
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// The same bytes of L1 as integers, one row of fractals: ptoas fills no tiles
/// of every element type. What it places is filled as what it is, if it can be.
static TileBufType inWords(TileBufType Tile, Sync Who) {
  Type Element = Tile.getElementType();
  if (Who == Sync::Ptoas && (Element.isF16() || Element.isF32()))
    return Tile;
  auto Word = IntegerType::get(Tile.getContext(), 16);
  int64_t Cols = Tile.getBytes() / (2 * FractalRows);
  bool Open = ShapedType::isDynamic(Tile.getValidRows());
  return TileBufType::get(Tile.getContext(), Space::Mat, FractalRows, Cols,
                          Word, Open ? ShapedType::kDynamic : FractalRows,
                          Open ? ShapedType::kDynamic : Cols,
                          /*ColMajor=*/true, Box::RowMajor,
                          TileBufType::DefaultFractal, Pad::Null, 0);
}

void Translator::zero(Location Loc, Value Tile) {
  Type Element = cast<TileBufType>(Tile.getType()).getElementType();
  Value Zero = arith::ConstantOp::create(
      Builder, Loc, cast<TypedAttr>(Builder.getZeroAttr(Element)));
  create(Loc, "texpands", {Zero, Tile});
}

void Translator::fillWithZeros(Location Loc, Value Buffer) {
  TileBufType All = typeOfMatrix(typeOf(Buffer), /*Transposed=*/false, {}, {});
  zero(Loc, place(Buffer, inWords(All, Who), {}, {}));
}

/// A matrix of zeros in L1, after all that is planned; all pipes wait for it.
Value Translator::makeZeros(Location Loc, TileBufType Type) {
  TileBufType Words = inWords(Type, Who);
  if (Who == Sync::Ptoas) {
    Value Tile = AllocTileOp::create(Builder, Loc, Words, Value(),
                                     constant(Loc, Words.getRows()),
                                     constant(Loc, Words.getCols()));
    zero(Loc, Tile);
    Value Zeros = reinterpreted(Tile, Type);
    SetValidShapeOp::create(Builder, Loc, Zeros, constant(Loc, Type.getRows()),
                            constant(Loc, Type.getCols()));
    return Zeros;
  }
  auto At = [&](TileBufType Tile) -> Value {
    Value Address = arith::ConstantIntOp::create(Builder, Loc, EndOfL1, 64);
    return AllocTileOp::create(Builder, Loc, Tile, Address, Value(), Value());
  };
  pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  zero(Loc, At(Words));
  pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  return At(Type);
}

/// Nothing of PTO fills L0: zeros come from L1. Few kernels do it, where they
/// had nothing to add up.
LogicalResult Translator::translate(ascend::CubeFillOp Op) {
  Location Loc = Op.getLoc();
  if (ascend::isInSpace(Op.getDst().getType(), MemorySpace::L1)) {
    fillWithZeros(Loc, Op.getDst());
    return success();
  }
  TileBufType To =
      typeOfMatrix(typeOf(Op.getDst()), /*Transposed=*/false, {}, {});
  if (Who == Sync::Ours && EndOfL1 + To.getBytes() > L1Bytes)
    return refuse(Op) << "needs " << To.getBytes()
                      << " bytes more of L1 than the plan leaves [not-in-pto]";
  // Fractals in the order of the operand's, so that they are not transposed.
  auto Zeros = TileBufType::get(Builder.getContext(), Space::Mat, To.getRows(),
                                To.getCols(), To.getElementType(),
                                To.getValidRows(), To.getValidCols(),
                                /*ColMajor=*/To.getBox() == Box::RowMajor,
                                To.getBox(), To.getFractal(), Pad::Null, 0);
  Value From = makeZeros(Loc, Zeros), First = constant(Loc, 0);
  create(Loc, "textract", {From, First, First, matrixAt(Op.getDst(), {}, {})});
  return success();
}

/// As ascend.cube.in is expanded: what fractals have beyond the window is zero.
LogicalResult Translator::translate(ascend::CubeInOp Op) {
  Location Loc = Op.getLoc();
  Matrix Of;
  FailureOr<Value> Part = makeMatrix(Op, Op.getView(), Op.getMixedOffsets(),
                                     Op.getMixedSizes(), Of);
  if (failed(Part))
    return failure();
  // Of a row in global memory, in elements.
  Value Most = constant(Loc, std::numeric_limits<uint16_t>::max());
  trapUnless(Loc, arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::sle,
                                        Of.Pitch, Most));
  Value Zero = constant(Loc, 0);
  auto IsTail = [&](Value Extent, int64_t Multiple) -> Value {
    Value Rest =
        arith::RemSIOp::create(Builder, Loc, Extent, constant(Loc, Multiple));
    return arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::ne, Rest,
                                 Zero);
  };
  int64_t Block = 256 / typeOf(Op.getDst()).getElementTypeBitWidth();
  Value Tail = IsTail(Of.Rows, std::max(Block, FractalRows));
  if (Block < FractalRows)
    Tail =
        arith::OrIOp::create(Builder, Loc, Tail, IsTail(Of.Cols, FractalRows));
  {
    auto If = scf::IfOp::create(Builder, Loc, Tail, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard Guard(Builder);
    Builder.setInsertionPointToStart(If.thenBlock());
    fillWithZeros(Loc, Op.getDst());
    if (Who == Sync::Ours)
      pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_MTE2);
  }
  create(Loc, "tload", {*Part, matrixAt(Op.getDst(), Of.Rows, Of.Cols)});
  return success();
}

/// Whether a number is another one in whole fractals, at least two: what the
/// cube makes of one row.
static bool isInFractals(Value Number, Value Of) {
  if (std::optional<int64_t> Known = getConstantIntValue(Of))
    return getConstantIntValue(Number) ==
           static_cast<int64_t>(llvm::alignTo(*Known, FractalRows));
  auto IsConstant = [](Value V, int64_t What) {
    return getConstantIntValue(V) == What;
  };
  auto Product = Number.getDefiningOp<arith::MulIOp>();
  auto Quotient =
      Product ? Product.getLhs().getDefiningOp<arith::DivSIOp>() : nullptr;
  auto Sum =
      Quotient ? Quotient.getLhs().getDefiningOp<arith::AddIOp>() : nullptr;
  if (!Sum || !IsConstant(Product.getRhs(), FractalRows) ||
      !IsConstant(Quotient.getRhs(), FractalRows) ||
      !IsConstant(Sum.getRhs(), FractalRows - 1))
    return false;
  auto AtLeast = Sum.getLhs().getDefiningOp<arith::MaxSIOp>();
  return Sum.getLhs() == Of || (AtLeast && AtLeast.getLhs() == Of &&
                                getConstantIntValue(AtLeast.getRhs()) <= 2);
}

LogicalResult Translator::translate(ascend::CubeOutOp Op) {
  FailureOr<SmallVector<NamedAttribute>> How = combining(Op, Op.getCombine());
  if (failed(How))
    return failure();
  OpFoldResult Rows = Op.getMixedSizes()[Op.getMixedSizes().size() - 2];
  auto Open = dyn_cast<Value>(Rows);
  Value Known = Open ? Open : constant(Op.getLoc(), *getConstantIntValue(Rows));
  if (!isInFractals(Op.getPitch(), Known))
    return refuse(Op) << "stores all rows of a product only [not-in-pto]";
  Matrix Of;
  FailureOr<Value> Part = makeMatrix(Op, Op.getView(), Op.getMixedOffsets(),
                                     Op.getMixedSizes(), Of);
  if (failed(Part))
    return failure();
  create(Op.getLoc(), "tstore",
         {matrixAt(Op.getSrc(), Of.Rows, Of.Cols), *Part}, *How);
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult Translator::translate(ascend::CubeLoadOp Op) {
  Value Row = mapped(Op.getRow()), Col = mapped(Op.getCol());
  Value Rows = mapped(Op.getRows()), Cols = mapped(Op.getCols());
  if (Op.getTransposed()) {
    std::swap(Row, Col);
    std::swap(Rows, Cols);
  }
  create(Op.getLoc(), "textract",
         {matrixAt(Op.getSrc(), {}, {}, Op.getTransposed()), Row, Col,
          matrixAt(Op.getDst(), Rows, Cols)});
  return success();
}

LogicalResult Translator::translate(ascend::CubeMmadOp Op) {
  Location Loc = Op.getLoc();
  if (Op.getAlignK())
    return refuse(Op) << "has no left operands of f32 that are transposed "
                         "[not-in-pto]";
  Value M = mapped(Op.getM()), N = mapped(Op.getN()), K = mapped(Op.getK());
  Value Lhs = matrixAt(Op.getLhs(), M, K), Rhs = matrixAt(Op.getRhs(), K, N);
  Value Sums = matrixAt(Op.getDst(), M, N);
  // The cube orders products in the same sums only if these are many.
  if (Who == Sync::Ours)
    pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_M);
  auto First = [&] { create(Loc, "tmatmul", {Lhs, Rhs, Sums}); };
  auto More = [&] { create(Loc, "tmatmul.acc", {Sums, Lhs, Rhs, Sums}); };
  if (std::optional<int64_t> Known = getConstantIntValue(Op.getInit())) {
    *Known ? First() : More();
    return success();
  }
  auto If = scf::IfOp::create(Builder, Loc, mapped(Op.getInit()),
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(If.thenBlock());
  First();
  Builder.setInsertionPointToStart(If.elseBlock());
  More();
  return success();
}

LogicalResult Translator::translateCube(Operation &Op) {
  return TypeSwitch<Operation *, LogicalResult>(&Op)
      .Case<ascend::CubeInOp, ascend::CubeFillOp, ascend::CubeLoadOp,
            ascend::CubeMmadOp, ascend::CubeOutOp>(
          [&](auto Known) { return translate(Known); })
      .Default([&](Operation *) { return translateVector(Op); });
}
