//===- LowerExtents.cpp - Operations that move elements -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"
#include "passes/expand/GlobalMemory.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Between extents
//===----------------------------------------------------------------------===//

/// Whether an operation can read one operand again for each row.
static bool readsRepeated(Operation *User, Value Tile) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
           arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
           arith::MinNumFOp>(User))
    return false;
  Value Other = User->getOperand(User->getOperand(0) == Tile ? 1 : 0);
  return Other != Tile && !Other.getDefiningOp<BroadcastOp>() &&
         !Other.getDefiningOp<SplatOp>() &&
         !Other.getDefiningOp<arith::ConstantOp>();
}

/// Rows and columns that only broadcast over tiles in arithmetic are not
/// stored: a row is read where it is, and a column needs a block for each row.
bool TileLowering::repeatInstead(BroadcastOp Op, const Tile &Result) {
  constexpr int64_t MostRows = 248, MostBlocks = 255;
  Tile Source = tileOf(Op.getSource());
  CapacityAttr From = getCapacity(Source.Type), To = getCapacity(Result.Type);
  Type Element = Result.Type.getElementType();
  MemRefType Buffer = bufferTypeFor(Result.Type);
  bool Fits =
      (Element.isF32() || Element.isF16()) && To.getRows() > 1 &&
      To.getCols() > 1 && To.getRows() <= MostRows &&
      pitchOf(Buffer) * Element.getIntOrFloatBitWidth() / 256 <= MostBlocks;
  bool Row = From.getRows() == 1 && From.getCols() == To.getCols();
  bool Column = From.getCols() == 1 && From.getRows() == To.getRows();
  // Loops and branches may write to what they carry before it is read.
  bool Stays =
      llvm::none_of(ValuesInBuffer.lookup(Source.Buffer), [&](Value Stored) {
        return isa<BlockArgument>(Stored) || Preferred.count(Stored);
      });
  if (!Fits || !(Column || (Row && Stays)) ||
      !llvm::all_of(Op->getUsers(), [&](Operation *User) {
        return readsRepeated(User, Op.getTile());
      }))
    return false;
  Tile Tile = Result;
  Tile.Buffer = Source.Buffer;
  if (Column) {
    int64_t PerBlock = 256 / Element.getIntOrFloatBitWidth();
    Tile.Buffer = makeWork(Op.getLoc(), Element,
                           llvm::alignTo(From.getRows(), 8), PerBlock);
    VecSpreadOp::create(Builder, Op.getLoc(), Source.Buffer, Tile.Buffer,
                        valueOf(Op.getLoc(), Tile.Rows));
  }
  Repeated[Op.getTile()] = Column ? Axis::Col : Axis::Row;
  setTile(Op.getTile(), Tile);
  return true;
}

/// A tile with what is repeated in it.
bool TileLowering::lowerRepeated(Operation &Op, Binary Kind) {
  bool Reversed = Repeated.count(Op.getOperand(0));
  if (!Reversed && !Repeated.count(Op.getOperand(1)))
    return false;
  Value Other = Op.getOperand(Reversed ? 1 : 0),
        Same = Op.getOperand(Reversed ? 0 : 1);
  bool Commutes = Kind != Binary::Sub && Kind != Binary::Div;
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Other);
  Tile Tile = tileOf(Other);
  Tile.Splat = {};
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecRepeatedOp::create(Builder, Loc, Kind, Src, tileOf(Same).Buffer,
                        Repeated.lookup(Same), Reversed && !Commutes,
                        Tile.Buffer, valueOf(Loc, Tile.Rows),
                        valueOf(Loc, Tile.Cols));
  setTile(Op.getResult(0), Tile);
  return true;
}

LogicalResult TileLowering::lower(BroadcastOp Op) {
  Location Loc = Op.getLoc();
  RankedTensorType To = Op.getTile().getType();
  Tile Source = tileOf(Op.getSource());
  CapacityAttr From = getCapacity(Source.Type), Result = getCapacity(To);
  Tile Tile{To, {}, {}, Source.Rows, Source.Cols};
  unsigned Next = 0;
  if (From.getRows() == 1 && Result.getRows() != 1)
    Tile.Rows = To.isDynamicDim(0)
                    ? OpFoldResult(Op.getSizes()[Next++])
                    : OpFoldResult(Builder.getIndexAttr(To.getDimSize(0)));
  if (From.getCols() == 1 && Result.getCols() != 1)
    Tile.Cols = To.isDynamicDim(1)
                    ? OpFoldResult(Op.getSizes()[Next++])
                    : OpFoldResult(Builder.getIndexAttr(To.getDimSize(1)));
  if (Source.Splat) {
    Tile.Splat = Source.Splat;
    setTile(Op.getTile(), Tile);
    return success();
  }
  if (repeatInstead(Op, Tile))
    return success();
  Tile.Buffer = destinationFor(Op.getTile());
  Value Work;
  unsigned Bits = To.getElementType().getIntOrFloatBitWidth();
  bool Element = From.getRows() == 1 && From.getCols() == 1;
  if (Element ? Arch.hasRepeatCopy && (Bits == 16 || Bits == 32)
              : From.getCols() == 1) {
    int64_t PerBlock = 32 * 8 / Bits;
    // Eight rows are expanded at a time.
    int64_t Rows = llvm::alignTo(From.getRows(), 8);
    Work = makeWork(Loc, To.getElementType(), Rows, PerBlock);
  }
  VecBroadcastOp::create(Builder, Loc, Source.Buffer, Tile.Buffer,
                         valueOf(Loc, Tile.Rows), valueOf(Loc, Tile.Cols),
                         Work);
  setTile(Op.getTile(), Tile);
  return success();
}

int64_t passes::workFor(int64_t Count, Type Element) {
  int64_t PerRepeat = 256 * 8 / Element.getIntOrFloatBitWidth();
  int64_t PerBlock = PerRepeat / 8;
  int64_t Work = 0;
  for (int64_t Left = Count; Left > 1;) {
    Left = llvm::divideCeil(Left, PerRepeat) * 2;
    Work += llvm::alignTo(Left, PerBlock);
    if (Left <= 2)
      break;
  }
  return std::max(Work, PerRepeat);
}

void TileLowering::reduceInto(Location Loc, Combine How, Axis Axis,
                              const Tile &Source, Value Dst) {
  Type Element = Source.Type.getElementType();
  CapacityAttr Capacity = getCapacity(Source.Type);
  int64_t Longest = Axis == Axis::Col && Capacity.getCols() > 1
                        ? 1
                        : std::max(Capacity.getRows(), Capacity.getCols());
  // Rows are first folded to one repeat each. Where maxima come with their
  // places, both have space after that.
  int64_t PerRepeat = 256 * 8 / Element.getIntOrFloatBitWidth(), Fold = 0;
  if (Axis == Axis::Row && Capacity.getRows() > 1 && Capacity.getCols() > 1) {
    Fold =
        foldedElements(Arch, bufferTypeFor(Source.Type),
                       getConstantIntValue(Source.Cols) == Capacity.getCols());
    if (!Arch.hasOrderOnlyValue)
      Fold += llvm::alignTo(
          2 * std::min(Capacity.getRows(), rowsAtOnce(Arch, Element)),
          PerRepeat);
  }
  int64_t Halves = Axis == Axis::Row || Capacity.getCols() == 1
                       ? halvedElements(Arch, How, bufferTypeFor(Source.Type))
                       : 0;
  Value Work = makeWork(Loc, Element, 1,
                        std::max({Fold, Halves, workFor(Longest, Element)}));
  VecReduceOp::create(Builder, Loc, How, Axis, Source.Buffer,
                      valueOf(Loc, Source.Rows), valueOf(Loc, Source.Cols), Dst,
                      Work);
}

LogicalResult TileLowering::lower(ReduceOp Op) {
  RankedTensorType To = Op.getTile().getType();
  OpFoldResult One = Builder.getIndexAttr(1);
  Value Src = bufferOf(Op.getSource());
  Tile Source = tileOf(Op.getSource());
  Source.Buffer = Src;
  CapacityAttr Capacity = getCapacity(Source.Type);
  Axis Axis = Op.getAxis();
  Tile Tile{To,
            {},
            {},
            Axis == Axis::Row ? Source.Rows : One,
            Axis == Axis::Col ? Source.Cols : One};
  // All of it: rows first, then the column that they leave.
  if (Axis == Axis::All && Capacity.getRows() == 1)
    Axis = Axis::Row;
  else if (Axis == Axis::All && Capacity.getCols() == 1)
    Axis = Axis::Col;
  if (Axis == Axis::All) {
    bool Dynamic = Source.Type.isDynamicDim(0);
    RankedTensorType Column =
        getTileType(To.getElementType(),
                    {Dynamic ? ShapedType::kDynamic : Capacity.getRows(), 1},
                    {Capacity.getRows(), 1});
    Value Rows = makeBuffer(Op.getLoc(), bufferTypeFor(Column));
    reduceInto(Op.getLoc(), Op.getCombine(), Axis::Row, Source, Rows);
    Source = {Column, Rows, {}, Source.Rows, One};
    Axis = Axis::Col;
  }
  Tile.Buffer = destinationFor(Op.getTile());
  reduceInto(Op.getLoc(), Op.getCombine(), Axis, Source, Tile.Buffer);
  setTile(Op.getTile(), Tile);
  return success();
}

/// Along rows as down the columns of what is transposed: an instruction takes
/// an element of each row, in the order in which the scalar unit would.
void TileLowering::scanColumns(ScanOp Op, Value Src, const Tile &Tile) {
  Location Loc = Op.getLoc();
  MemRefType Type = bufferTypeFor(Tile.Type);
  // An odd number of blocks apart, 16 lines are in 16 groups of banks.
  int64_t Block = Arch.blockBytes * 8 / Type.getElementTypeBitWidth();
  int64_t Pitch = llvm::alignTo(Type.getDimSize(0), Block);
  Pitch += Pitch / Block % 2 ? 0 : Block;
  MemRefType Turned = MemRefType::get(
      {Type.getDimSize(1), Type.getDimSize(0)}, Type.getElementType(),
      StridedLayoutAttr::get(Op.getContext(), 0, {Pitch, 1}),
      Type.getMemorySpace());
  Value Rows = valueOf(Loc, Tile.Rows), Cols = valueOf(Loc, Tile.Cols);
  Value Lines = makeBuffer(Loc, Turned);
  VecTransposeOp::create(Builder, Loc, Src, Rows, Cols, Lines);
  VecScanOp::create(Builder, Loc, Op.getCombine(), Axis::Col, Lines, Cols, Rows,
                    Lines);
  VecTransposeOp::create(Builder, Loc, Lines, Cols, Rows, Tile.Buffer);
}

LogicalResult TileLowering::lower(ScanOp Op) {
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Op.getSource());
  Tile Tile = tileOf(Op.getSource());
  Tile.Splat = {};
  Tile.Buffer = destinationFor(Op.getTile());
  CapacityAttr Capacity = getCapacity(Tile.Type);
  if (Op.getAxis() == Axis::Row && Tile.Type.getElementType().isF32() &&
      transposesBlocks(Arch, Tile.Type.getElementType(), Capacity.getRows(),
                       Capacity.getCols()) &&
      Capacity.getRows() % 16 == 0 && Capacity.getCols() % 16 == 0) {
    scanColumns(Op, Src, Tile);
    setTile(Op.getTile(), Tile);
    return success();
  }
  VecScanOp::create(Builder, Loc, Op.getCombine(), Op.getAxis(), Src,
                    valueOf(Loc, Tile.Rows), valueOf(Loc, Tile.Cols),
                    Tile.Buffer);
  setTile(Op.getTile(), Tile);
  return success();
}

LogicalResult TileLowering::lower(TransposeOp Op) {
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Op.getSource());
  Tile Source = tileOf(Op.getSource());
  Tile Tile{Op.getTile().getType(),
            destinationFor(Op.getTile()),
            {},
            Source.Cols,
            Source.Rows};
  VecTransposeOp::create(Builder, Loc, Src, valueOf(Loc, Source.Rows),
                         valueOf(Loc, Source.Cols), Tile.Buffer);
  setTile(Op.getTile(), Tile);
  return success();
}

LogicalResult TileLowering::lower(IotaOp Op) {
  Location Loc = Op.getLoc();
  Tile Tile = tileWithSizes(Op.getTile().getType(), Op.getSizes());
  CapacityAttr Capacity = getCapacity(Tile.Type);
  bool Line = Op.getAxis() == Axis::Row ? Capacity.getRows() == 1
                                        : Capacity.getCols() == 1;
  if (!Line)
    return Op.emitOpError("counts in one row or one column, so far; repeat "
                          "that");
  Tile.Buffer = destinationFor(Op.getTile());
  VecIotaOp::create(Builder, Loc, Op.getStart(), Tile.Buffer,
                    countOf(Loc, Tile));
  setTile(Op.getTile(), Tile);
  return success();
}

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

LogicalResult TileLowering::lower(GatherOp Op) {
  Location Loc = Op.getLoc();
  RankedTensorType Type = Op.getTile().getType();
  Value Indices = bufferOf(Op.getIndices());
  Tile Named = tileOf(Op.getIndices());
  Tile Tile{Type, destinationFor(Op.getTile()), {}, Named.Rows, Named.Cols};
  if (Op.getView().getType().getRank() == 2) {
    bool OneColumn = getCapacity(Named.Type).getCols() == 1;
    Tile.Rows = OneColumn ? Named.Rows : Named.Cols;
    Tile.Cols = Builder.getIndexAttr(Type.getDimSize(1));
  } else if (getCapacity(Type).getRows() > 1 &&
             getCapacity(Type).getCols() > 1) {
    return Op.emitOpError("gathers elements into one row or one column, so "
                          "far");
  }
  if (Op.getPolicy() == BadIndex::Zero) {
    Value Zero = arith::ConstantOp::create(
        Builder, unnamed(Loc), Builder.getZeroAttr(Type.getElementType()));
    VecFillOp::create(Builder, Loc, Zero, Tile.Buffer, countOf(Loc, Tile));
  }
  DmaGatherOp::create(Builder, Loc, Op.getPolicy(), Op.getView(), Indices,
                      Tile.Buffer, countOf(Loc, Named));
  setTile(Op.getTile(), Tile);
  return success();
}

/// Elements of a row, if that is known.
static std::optional<int64_t> rowLength(Value View) {
  auto Type = cast<MemRefType>(View.getType());
  if (Type.isDynamicDim(1))
    return std::nullopt;
  return Type.getDimSize(1);
}

LogicalResult TileLowering::lower(ScatterOp Op) {
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Op.getTile()), Indices = bufferOf(Op.getIndices());
  Tile Named = tileOf(Op.getIndices());
  CapacityAttr Capacity = getCapacity(Op.getTile().getType());
  if (Op.getView().getType().getRank() == 1 && Capacity.getRows() > 1 &&
      Capacity.getCols() > 1)
    return Op.emitOpError("scatters elements of one row or one column, so "
                          "far");
  auto Buffer = cast<MemRefType>(Src.getType());
  Type Element = Buffer.getElementType();
  if (failed(checkAtomic(Op, Element, Op.getCombine())))
    return failure();
  Value Work;
  if (!isByRows(Op.getView(), Src)) {
    if (!Arch.copiesWholeBlocks())
      Work = makeBlocks(Loc, Element, /*Elements=*/1);
  } else if (Arch.copiesWholeBlocks() &&
             mayEndInsideBlock(Arch, Buffer, rowLength(Op.getView()))) {
    Work = makeBlock(Loc, Element);
  }
  DmaScatterOp::create(Builder, Loc, Op.getPolicy(), Src, Op.getView(), Indices,
                       countOf(Loc, Named), Work, Op.getCombineAttr());
  return success();
}
