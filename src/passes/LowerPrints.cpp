//===- LowerPrints.cpp - Tiles that a kernel prints -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar unit prints elements that lie one after the other in a buffer: a
// row of a tile, or a column, which is packed.
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

static unsigned lineOf(Location Loc) {
  auto Place = Loc->findInstanceOf<FileLineColLoc>();
  return Place ? Place.getLine() : 0;
}

static Value atMost(OpBuilder &Builder, Location Loc, Value Extent,
                    int64_t Limit) {
  return Builder.createOrFold<arith::MinSIOp>(
      Loc, Extent, arith::ConstantIndexOp::create(Builder, Loc, Limit));
}

LogicalResult TileLowering::lower(PrintOp Op) {
  Location Loc = unnamed(Op.getLoc());
  Value Buffer = bufferOf(Op.getTile());
  const Tile &Printed = tileOf(Op.getTile());
  unsigned Line = lineOf(Loc);
  Value Zero = arith::ConstantIndexOp::create(Builder, Loc, 0);
  CapacityAttr Capacity = getCapacity(Op.getTile().getType());
  bool Packed = Capacity.getCols() == 1;
  Value Count =
      atMost(Builder, Loc, valueOf(Loc, Packed ? Printed.Rows : Printed.Cols),
             Op.getColumns());
  if (Packed || Capacity.getRows() == 1) {
    DumpOp::create(Builder, Loc, Buffer, Zero, Count, Line);
    return success();
  }
  Value Rows = atMost(Builder, Loc, valueOf(Loc, Printed.Rows), Op.getRows());
  Value One = arith::ConstantIndexOp::create(Builder, Loc, 1);
  auto Loop = scf::ForOp::create(Builder, Loc, Zero, Rows, One);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value Pitch = arith::ConstantIndexOp::create(
      Builder, Loc, pitchOf(cast<MemRefType>(Buffer.getType())));
  Value Start =
      arith::MulIOp::create(Builder, Loc, Loop.getInductionVar(), Pitch);
  DumpOp::create(Builder, Loc, Buffer, Start, Count, Line);
  return success();
}
