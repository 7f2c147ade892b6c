//===- LowerTakes.cpp - Gathers from tiles --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// The first place of each row of a buffer. What is the same for every
/// iteration is made once.
Value TileLowering::rowStarts(Location Loc, int64_t Rows, int64_t Pitch) {
  Type Integer = Builder.getI32Type();
  MemRefType Type = bufferTypeFor(RankedTensorType::get({1, Rows}, Integer));
  Value &Known = Numbers[{Type, Pitch}];
  if (Known)
    return Known;
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(&Kernel.getBody().front());
  Loc = unnamed(Loc);
  auto Number = [&](int64_t Value) {
    return arith::ConstantOp::create(Builder, Loc,
                                     Builder.getIntegerAttr(Integer, Value));
  };
  Value Count = arith::ConstantIndexOp::create(Builder, Loc, Rows);
  Known = makeBuffer(Loc, Type);
  VecIotaOp::create(Builder, Loc, Number(0), Known, Count);
  VecScalarOp::create(Builder, Loc, Binary::Mul, Known, Number(Pitch), Known,
                      Count);
  return Known;
}

/// Indices name columns of their rows: expandTakes() has seen to that. A column
/// of indices, one for each row, is told where the rows are, and goes at once.
LogicalResult TileLowering::lower(TakeOp Op) {
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Op.getSource()), Indices = bufferOf(Op.getIndices());
  Tile Named = tileOf(Op.getIndices());
  auto Source = cast<MemRefType>(Src.getType());
  uint32_t Bytes = Source.getElementTypeBitWidth() / 8;
  uint64_t Space = Source.getDimSize(0) * pitchOf(Source) * Bytes,
           Most = Arch.highestOffset(Bytes) + 1;
  if (Space > Most)
    return Op.emitError() << "this architecture gathers elements of " << Bytes
                          << " bytes from at most " << Most
                          << ", and the tile has " << Space
                          << "; gather from parts of it";
  MemRefType Places = bufferTypeFor(Named.Type);
  bool ByRow = Source.getDimSize(0) > 1;
  if (ByRow && Places.getDimSize(1) == 1) {
    Value Sums = makeBuffer(unnamed(Loc), Places);
    VecBinaryOp::create(Builder, Loc, Binary::Add, Indices,
                        rowStarts(Loc, Source.getDimSize(0), pitchOf(Source)),
                        Sums, countOf(Loc, Named));
    Indices = Sums;
    ByRow = false;
  }
  Tile Tile{Op.getTile().getType(),
            destinationFor(Op.getTile()),
            {},
            Named.Rows,
            Named.Cols};
  Value Work = makeBuffer(
      NameLoc::get(Builder.getStringAttr("work"), unnamed(Loc)), Places);
  VecTakeOp::create(Builder, Loc, ByRow, Src, Indices, Tile.Buffer,
                    valueOf(Loc, Tile.Rows), valueOf(Loc, Tile.Cols), Work);
  setTile(Op.getTile(), Tile);
  return success();
}
