//===- OneCoreCopies.cpp - Between the units of one core ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Fractals.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {
/// The last block of each row, a repeat for each: its bits and those of a block
/// that has ones up to the last column.
struct ExpandClear : ExpandMacro<VecClearOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(VecClearOp Op, Nest &N) const override {
    MemRefType Buffer = Op.getBuffer().getType();
    int64_t Block = blockElements(Buffer.getElementType());
    Value Full = N.times(N.divideDown(Op.getCols(), Block), Block);
    Value Kept = N.minus(Op.getCols(), Full);
    N.ifNotEmpty(Op.getRows(), [&] {
      N.ifNotEmpty(Kept, [&] { clear(Op, N, Full, Kept, Block); });
    });
    return success();
  }

private:
  static Value bits(Nest &N, int64_t Bits) {
    return arith::ConstantOp::create(N.builder(), N.loc(),
                                     N.builder().getI16IntegerAttr(Bits));
  }

  static void clear(VecClearOp Op, Nest &N, Value Full, Value Kept,
                    int64_t Block) {
    MemRefType Buffer = Op.getBuffer().getType();
    int64_t Rows = Buffer.getDimSize(0),
            Pitch = Rows == 1 ? 1 : pitchOf(Buffer) / Block;
    OpBuilder &B = N.builder();
    Type Bits = B.getI16Type();
    VecFillOp::create(B, N.loc(), bits(N, 0), Op.getWork(), N.constant(Block));
    N.vectorBarrier();
    VecFillOp::create(B, N.loc(), bits(N, -1), Op.getWork(), Kept);
    N.forMasks("r", Op.getRows(), Rows, N.Arch.maxRepeat,
               [&](Value R, Value Count) {
                 N.vectorBarrier();
                 Value Last = N.slice(Op.getBuffer(), R, Full, Bits);
                 RepBinaryOp::create(B, Op.getLoc(), Binary::And, Last,
                                     Op.getWork(), Last, N.constant(Block),
                                     Count, ArrayRef<int64_t>{1, 1, 1},
                                     ArrayRef<int64_t>{Pitch, Pitch, 0});
               });
  }
};

/// A column of blocks in each instruction.
struct ExpandPut : ExpandMacro<CubePutOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(CubePutOp Op, Nest &N) const override {
    MemRefType Buffer = Op.getSrc().getType();
    int64_t Block = blockElements(Buffer.getElementType());
    // Of one row, the pitch is of no interest.
    bool OneRow = Buffer.getDimSize(0) == 1;
    int64_t Pitch = OneRow ? Block : pitchOf(Buffer);
    Value Rows = OneRow ? N.constant(1) : Op.getRows();
    N.ifNotEmpty(Op.getRows(), [&] {
      N.forEach("b", N.constant(0), N.divideUp(Op.getCols(), Block), 1,
                [&](Value B) {
                  CubePutBlocksOp::create(
                      N.builder(), N.loc(),
                      N.slice(Op.getSrc(), N.constant(0), N.times(B, Block)),
                      Pitch, Op.getDst(), B, Op.getRow(), Rows);
                });
    });
    return success();
  }
};

/// So many rows as the space for fractals has, then these to their places.
struct ExpandGet : ExpandMacro<CubeGetOp> {
  using ExpandMacro::ExpandMacro;

  LogicalResult expand(CubeGetOp Op, Nest &N) const override {
    N.ifNotEmpty(Op.getCols(), [&] {
      N.forMasks("r", Op.getRows(), Op.getDst().getType().getDimSize(0),
                 sumRoom(Op.getWork().getType())->Rows,
                 [&](Value R, Value Count) { copy(Op, N, R, Count); });
    });
    return success();
  }

private:
  static void copy(CubeGetOp Op, Nest &N, Value Row, Value Count) {
    MemRefType Buffer = Op.getDst().getType();
    int64_t Capacity = Buffer.getDimSize(1),
            Block = blockElements(Buffer.getElementType());
    int64_t Pitch = Buffer.getDimSize(0) == 1
                        ? llvm::alignTo(Capacity, FractalRows)
                        : pitchOf(Buffer);
    Value Blocks = N.divideUp(Op.getCols(), FractalRows);
    N.vectorBarrier();
    CubeFractalsOp::create(
        N.builder(), N.loc(), Op.getSrc(), N.plus(Op.getRow(), Row),
        N.roundUp(Count, FractalRows), Blocks, Op.getPitch(), Op.getWork());
    N.vectorBarrier();
    auto Place = [&](Value B, int64_t Length) {
      CubeRowsOp::create(N.builder(), N.loc(), Op.getWork(), B,
                         N.slice(Op.getDst(), Row, N.times(B, FractalRows)),
                         Buffer.getDimSize(0) == 1 ? N.constant(1) : Count,
                         Length, Pitch);
    };
    // The buffer of a single row may end inside of the last fractal.
    int64_t FullFractals = Pitch % FractalRows == 0 && Buffer.getDimSize(0) > 1
                               ? llvm::divideCeil(Capacity, FractalRows)
                               : Capacity / FractalRows;
    if (FullFractals)
      N.forEach("b", N.constant(0), N.atMost(Blocks, FullFractals), 1,
                [&](Value B) { Place(B, FractalRows / Block); });
    int64_t Rest = Capacity - FullFractals * FractalRows;
    if (Rest <= 0)
      return;
    N.ifAtLeast(
        Blocks, FullFractals + 1,
        [&] {
          N.vectorBarrier();
          Place(N.constant(FullFractals), llvm::divideCeil(Rest, Block));
        },
        [] {});
  }
};
} // namespace

void passes::addOneCorePatterns(RewritePatternSet &Patterns,
                                const targets::Arch &Arch) {
  Patterns.add<ExpandClear, ExpandPut, ExpandGet>(Patterns.getContext(), Arch);
}
