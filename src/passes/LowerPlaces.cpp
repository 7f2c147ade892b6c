//===- LowerPlaces.cpp - Where the extreme of each row is -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Facts.h"
#include "passes/TileLowering.h"
#include "passes/expand/Patterns.h"
#include "targets/Instructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// What is the same for every iteration is made once.
Value TileLowering::columnNumbers(Location Loc, MemRefType Type,
                                  int64_t Factor) {
  Value &Known = Numbers[{Type, Factor}];
  if (Known)
    return Known;
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(&Kernel.getBody().front());
  Loc = unnamed(Loc);
  auto Number = [&](int64_t Value) {
    return arith::ConstantOp::create(
        Builder, Loc, Builder.getF32FloatAttr(static_cast<float>(Value)));
  };
  int64_t Rows = Type.getDimSize(0), Cols = Type.getDimSize(1);
  Value Length = arith::ConstantIndexOp::create(Builder, Loc, Cols);
  auto Line =
      MemRefType::get({1, Cols}, Type.getElementType(),
                      MemRefLayoutAttrInterface(), Type.getMemorySpace());
  Value Count = makeBuffer(Loc, Line), Multiples = makeBuffer(Loc, Line);
  VecIotaOp::create(Builder, Loc, Number(0), Count, Length);
  VecScalarOp::create(Builder, Loc, Binary::Mul, Count, Number(Factor),
                      Multiples, Length);
  Known = makeBuffer(Loc, Type);
  VecBroadcastOp::create(Builder, Loc, Multiples, Known,
                         arith::ConstantIndexOp::create(Builder, Loc, Rows),
                         Length, /*work=*/Value());
  return Known;
}

namespace {
/// Instructions of one operation on some rows, which need a few buffers.
class RowInstructions {
public:
  RowInstructions(OpBuilder &Builder, Location Loc, Value Rows,
                  Attribute Memory, const targets::Arch &Arch)
      : Builder(Builder), Loc(Loc), Rows(Rows), Memory(Memory), Arch(Arch) {}

  MemRefType typeOf(int64_t Rows, int64_t Cols, Type Element) const {
    return MemRefType::get({Rows, Cols}, Element, MemRefLayoutAttrInterface(),
                           Memory);
  }
  /// So many elements for each row.
  Value times(int64_t Factor) {
    return arith::MulIOp::create(
        Builder, Loc, Rows,
        arith::ConstantIndexOp::create(Builder, Loc, Factor));
  }
  void multiply(Value Buffer, int64_t Factor, Value To, Value Count) {
    Value Scalar = arith::ConstantOp::create(
        Builder, Loc, Builder.getF32FloatAttr(static_cast<float>(Factor)));
    VecScalarOp::create(Builder, Loc, Binary::Mul, Buffer, Scalar, To, Count);
  }
  void combine(Binary How, Value A, Value B, Value To, Value Count) {
    VecBinaryOp::create(Builder, Loc, How, A, B, To, Count);
  }
  /// Between integers and floats: nothing is lost, so that any rounding does.
  void cast(Value From, Value To, Value Count) {
    bool ToFloat =
        llvm::cast<MemRefType>(To.getType()).getElementType().isF32();
    bool None = ToFloat &&
                targets::hasCast(Arch, targets::Element::S32,
                                 targets::Element::F32, targets::CastMode::N);
    VecCastOp::create(Builder, Loc, None ? Round::None : Round::Rint, From, To,
                      Count);
  }

private:
  OpBuilder &Builder;
  Location Loc;
  Value Rows;
  Attribute Memory;
  const targets::Arch &Arch;
};
} // namespace

/// All rows at once, by the vector unit alone. The extreme of each repeat comes
/// with its lane, the extreme of each row with its repeat. The place that
/// belongs to that repeat r is the largest of lane + 64 k - (16 (k - r))^2 for
/// all repeats k: a lane is less than 64. All numbers are exact.
void TileLowering::findPlaces(ArgReduceOp Op, const Tile &Source, Value Dst) {
  constexpr int64_t Scale = 16;
  Location Loc = unnamed(Op.getLoc());
  Type F32 = Builder.getF32Type(), I32 = Builder.getI32Type();
  CapacityAttr Capacity = getCapacity(Source.Type);
  int64_t Most = Capacity.getRows(), Lanes = Arch.repeatBytes / 4;
  int64_t Repeats = Capacity.getCols() / Lanes;
  Value Rows = valueOf(Loc, Source.Rows),
        Cols = arith::ConstantIndexOp::create(Builder, Loc, Repeats);
  Attribute Memory = cast<MemRefType>(Source.Buffer.getType()).getMemorySpace();
  RowInstructions I(Builder, Loc, Rows, Memory, Arch);
  MemRefType Table = I.typeOf(Most, Repeats, F32);
  auto Make = [&](int64_t Rows, int64_t Cols, Type Element) {
    return makeBuffer(Loc, I.typeOf(Rows, Cols, Element));
  };
  Value All = I.times(Repeats);

  // Of each repeat.
  Value Pairs = Make(1, 2 * Most * Repeats, F32),
        Values = makeBuffer(Loc, Table),
        LaneWords = Make(Most * Repeats, 1, I32),
        Lane = Make(Most * Repeats, 1, F32), Column = makeBuffer(Loc, Table);
  RepReduceOp::create(Builder, Loc, Op.getCombine(), /*places=*/true,
                      Source.Buffer, Pairs,
                      arith::ConstantIndexOp::create(Builder, Loc, Lanes), All,
                      int64_t(Arch.blocksPerRepeat()));
  RepEveryOtherOp::create(Builder, Loc, /*odd=*/false, Pairs, Values, All);
  VecPlacesOp::create(Builder, Loc, Pairs, LaneWords, All);
  I.cast(LaneWords, Lane, All);
  I.combine(Binary::Add, Lane, columnNumbers(Loc, Table, Lanes), Column, All);

  // Of each row.
  Value Found = Make(1, 2 * Most, F32), RepeatWords = Make(Most, 1, I32),
        Repeat = Make(Most, 1, F32), Scaled = Make(Most, 1, F32),
        Blocks = Make(1, static_cast<int64_t>(llvm::alignTo(Most, 8)) * 8, F32);
  VecExtremesOp::create(Builder, Loc, Op.getCombine(), Values, Rows, Cols,
                        Found);
  VecPlacesOp::create(Builder, Loc, Found, RepeatWords, Rows);
  I.cast(RepeatWords, Repeat, Rows);
  I.multiply(Repeat, Scale, Scaled, Rows);
  VecSpreadOp::create(Builder, Loc, Scaled, Blocks, Rows);

  // Both together.
  Value Distance = makeBuffer(Loc, Table), Square = makeBuffer(Loc, Table),
        Peak = makeBuffer(Loc, Table), Place = Make(Most, 1, F32);
  VecRepeatedOp::create(Builder, Loc, Binary::Sub,
                        columnNumbers(Loc, Table, Scale), Blocks, Axis::Col,
                        /*reversed=*/false, Distance, Rows, Cols);
  I.combine(Binary::Mul, Distance, Distance, Square, All);
  I.combine(Binary::Sub, Column, Square, Peak, All);
  Tile Peaks{RankedTensorType::get({Most, Repeats}, F32),
             Peak,
             {},
             Source.Rows,
             Builder.getIndexAttr(Repeats)};
  reduceInto(Loc, Combine::Max, Axis::Row, Peaks, Place);
  I.cast(Place, Dst, Rows);
}

LogicalResult TileLowering::lower(ArgReduceOp Op) {
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Op.getSource());
  Tile Source = tileOf(Op.getSource());
  CapacityAttr Capacity = getCapacity(Source.Type);
  bool OneRow = Capacity.getRows() == 1;
  if (Op.getAxis() == Axis::Col)
    return Op.emitOpError("looks along rows only, so far");
  Type Element = Source.Type.getElementType();
  OpFoldResult One = Builder.getIndexAttr(1);
  Tile Tile{Op.getTile().getType(),
            destinationFor(Op.getTile()),
            {},
            OneRow ? One : Source.Rows,
            One};
  // The only element of a row is its first.
  if (Capacity.getCols() == 1) {
    Value Zero = arith::ConstantOp::create(Builder, unnamed(Loc),
                                           Builder.getI32IntegerAttr(0));
    VecFillOp::create(Builder, Loc, Zero, Tile.Buffer, countOf(Loc, Tile));
    setTile(Op.getTile(), Tile);
    return success();
  }
  bool AtOnce = Element.isF32() && Capacity.getCols() <= 64;
  if (AtOnce) {
    // Side by side for all rows, then the places alone.
    Value Pairs = makeWork(Loc, Element, 2, Capacity.getRows());
    Value Rows = valueOf(Loc, Source.Rows);
    VecExtremesOp::create(Builder, Loc, Op.getCombine(), Src, Rows,
                          valueOf(Loc, Source.Cols), Pairs);
    VecPlacesOp::create(Builder, Loc, Pairs, Tile.Buffer, Rows);
    setTile(Op.getTile(), Tile);
    return success();
  }
  int64_t Count =
      placedElements(Arch, bufferTypeFor(Source.Type),
                     getConstantIntValue(Source.Cols) == Capacity.getCols());
  int64_t Repeats = Capacity.getCols() * 4 / int64_t(Arch.repeatBytes);
  if (Count && Capacity.getRows() * Repeats <= Arch.maxRepeat &&
      analysis::isAtLeast(Op, valueOf(Loc, Source.Rows), 1)) {
    Source.Buffer = Src;
    findPlaces(Op, Source, Tile.Buffer);
    setTile(Op.getTile(), Tile);
    return success();
  }
  // The value and its place, in a block of their own before the rest.
  if (!Count)
    Count = 64 + workFor(Capacity.getCols(), Element);
  Value Work = makeWork(Loc, Element, 1, Count);
  VecArgReduceOp::create(Builder, Loc, Op.getCombine(), Src,
                         valueOf(Loc, Source.Rows), valueOf(Loc, Source.Cols),
                         Tile.Buffer, Work);
  setTile(Op.getTile(), Tile);
  return success();
}
