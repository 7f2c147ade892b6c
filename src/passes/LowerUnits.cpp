//===- LowerUnits.cpp - Tiles between the units of one core ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Fractals.h"
#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// What follows the last column in its block may be any bits, which a product
/// of floats must not see.
LogicalResult TileLowering::lower(ToL1Op Op) {
  Location Loc = unnamed(Op.getLoc());
  Value Buffer = bufferOf(Op.getTile());
  const Tile &Source = tileOf(Op.getTile());
  Value Rows = valueOf(Loc, Source.Rows), Cols = valueOf(Loc, Source.Cols);
  Type Element = Source.Type.getElementType();
  std::optional<int64_t> Known = getConstantIntValue(Source.Cols);
  bool Fills = Known && *Known % blockElements(Element) == 0;
  if (isa<FloatType>(Element) && !Fills)
    VecClearOp::create(Builder, Loc, Buffer, Rows, Cols,
                       makeBlock(Loc, Builder.getI16Type()));
  CubePutOp::create(Builder, Loc, Buffer, Rows, Cols, Op.getDst(), Op.getRow());
  return success();
}

/// By fractals, of which a few rows are in the unified buffer at once.
LogicalResult TileLowering::lower(FromL0COp Op) {
  constexpr int64_t MostBytes = 16 << 10;
  Location Loc = unnamed(Op.getLoc());
  RankedTensorType Type = Op.getTile().getType();
  Tile Result = tileWithSizes(Type, Op.getSizes());
  Result.Buffer = destinationFor(Op.getTile());
  CapacityAttr Capacity = getCapacity(Type);
  int64_t Rows = llvm::alignTo(Capacity.getRows(), FractalRows),
          Cols = llvm::alignTo(Capacity.getCols(), FractalRows);
  int64_t AtOnce = std::max(MostBytes / (Cols * 4) / FractalRows, int64_t(1));
  Location Named = NameLoc::get(Builder.getStringAttr("work"), Loc);
  Value Work = makeBuffer(
      Named, MemRefType::get(
                 {Cols / FractalRows, std::min(Rows, AtOnce * FractalRows),
                  FractalRows},
                 Type.getElementType(), MemRefLayoutAttrInterface(),
                 MemorySpaceAttr::get(Builder.getContext(), MemorySpace::UB)));
  CubeGetOp::create(Builder, Loc, Op.getSrc(), Op.getRow(), Op.getPitch(),
                    Result.Buffer, valueOf(Loc, Result.Rows),
                    valueOf(Loc, Result.Cols), Work);
  setTile(Op.getTile(), Result);
  return success();
}
