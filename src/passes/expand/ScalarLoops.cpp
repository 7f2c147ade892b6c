//===- ScalarLoops.cpp - What moves single elements -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

struct ExpandScan : ExpandMacro<VecScanOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecScanOp Op, Nest &N) const override {
    if (Op.getAxis() == Axis::Row)
      alongRows(Op, N);
    else
      downColumns(Op, N);
    return success();
  }

private:
  void alongRows(VecScanOp Op, Nest &N) const {
    MemRefType Type = Op.getSrc().getType();
    mlir::Type Element = Type.getElementType();
    auto Each = [&](Value R) {
      Value Start = N.times(R, pitchOf(Type));
      Value Init = arith::ConstantOp::create(
          N.builder(), N.loc(), neutralOf(Op.getCombine(), Element));
      N.forEach("c", N.constant(0), Op.getCols(), 1, Init,
                [&](Value C, Value Before) -> Value {
                  Value Place = N.plus(Start, C);
                  Value Now = ReadScalarOp::create(N.builder(), N.loc(),
                                                   Element, Op.getSrc(), Place);
                  // The first is kept as it is: 0 + -0 would be 0.
                  Value IsFirst = arith::CmpIOp::create(
                      N.builder(), N.loc(), arith::CmpIPredicate::eq, C,
                      N.constant(0));
                  Value All = arith::SelectOp::create(
                      N.builder(), N.loc(), IsFirst, Now,
                      combineScalars(N, Op.getCombine(), Before, Now));
                  WriteScalarOp::create(N.builder(), N.loc(), All, Op.getDst(),
                                        Place);
                  return All;
                });
    };
    onScalarUnit(N,
                 [&] { N.forEach("r", N.constant(0), Op.getRows(), 1, Each); });
  }

  void downColumns(VecScanOp Op, Nest &N) const {
    auto Row = [&](Value Buffer, Value R) {
      return N.slice(Buffer, R, N.constant(0));
    };
    copyLine(N, Op.getSrc(), Op.getDst(), Op.getCols());
    N.forEach("r", N.constant(1), Op.getRows(), 1, [&](Value R) {
      N.vectorBarrier();
      VecBinaryOp::create(N.builder(), Op.getLoc(), binaryOf(Op.getCombine()),
                          Row(Op.getDst(), N.minus(R, N.constant(1))),
                          Row(Op.getSrc(), R), Row(Op.getDst(), R),
                          Op.getCols());
    });
  }
};

struct ExpandTranspose : ExpandMacro<VecTransposeOp> {
  using ExpandMacro::ExpandMacro;

  /// Rows and columns that one instruction transposes.
  static constexpr int64_t Square = 16;

  LogicalResult expand(VecTransposeOp Op, Nest &N) const override {
    MemRefType Type = Op.getSrc().getType();
    // A row and a column lie in memory alike.
    if (Type.getDimSize(0) == 1 || Type.getDimSize(1) == 1)
      copyLine(N, Op.getSrc(), Op.getDst(),
               N.times(Op.getRows(), Op.getCols()));
    else if (isOfSquares(Type))
      transposeSquares(Op, N);
    else
      transposeElements(Op, N);
    return success();
  }

private:
  /// Columns that a repeat takes: a block of each row.
  int64_t columnsAtOnce(MemRefType Type) const {
    return Arch.blockBytes * 8 / Type.getElementTypeBitWidth();
  }

  bool isOfSquares(MemRefType Type) const {
    return transposesBlocks(Arch, Type.getElementType(), Type.getDimSize(0),
                            Type.getDimSize(1));
  }

  /// Up to 15 rows and columns more are transposed, too; they are inside. A
  /// block's columns are as many rows, so strides are pitches in blocks.
  void transposeSquares(VecTransposeOp Op, Nest &N) const {
    Value Repeat =
        N.divideUp(Op.getCols(), columnsAtOnce(Op.getSrc().getType()));
    int64_t Pitch = pitchOf(Op.getDst().getType());
    auto IfSeveral = [&](int64_t Stride) {
      return N.select(Repeat, 2, N.constant(Stride), N.constant(0));
    };
    Value To = IfSeveral(Pitch), From = IfSeveral(1);
    N.forEach("r", N.constant(0), Op.getRows(), Square, [&](Value R) {
      RepTransposeOp::create(
          N.builder(), Op.getLoc(), N.slice(Op.getSrc(), R, N.constant(0)),
          pitchOf(Op.getSrc().getType()),
          N.slice(Op.getDst(), N.constant(0), R), Pitch, Repeat, To, From);
    });
  }

  void transposeElements(VecTransposeOp Op, Nest &N) const {
    MemRefType From = Op.getSrc().getType(), To = Op.getDst().getType();
    auto Each = [&](Value R, Value C) {
      Value Read = ReadScalarOp::create(N.builder(), N.loc(),
                                        From.getElementType(), Op.getSrc(),
                                        N.plus(N.times(R, pitchOf(From)), C));
      WriteScalarOp::create(N.builder(), N.loc(), Read, Op.getDst(),
                            N.plus(N.times(C, pitchOf(To)), R));
    };
    onScalarUnit(N, [&] {
      N.forEach("c", N.constant(0), Op.getRows(), 1, [&](Value R) {
        N.forEach("c", N.constant(0), Op.getCols(), 1,
                  [&](Value C) { Each(R, C); });
      });
    });
  }
};

} // namespace

bool passes::transposesBlocks(const targets::Arch &Arch, Type Element,
                              int64_t Rows, int64_t Cols) {
  constexpr int64_t AtOnce = 16;
  int64_t Bits = Element.getIntOrFloatBitWidth();
  if (Bits != 16 && Bits != 32)
    return false;
  int64_t Block = Arch.blockBytes * 8 / Bits;
  return Rows % AtOnce == 0 && Cols % Block == 0 &&
         Cols / Block <= Arch.maxRepeat;
}

void passes::addScalarPatterns(RewritePatternSet &Patterns,
                               const targets::Arch &Arch) {
  Patterns.add<ExpandScan, ExpandTranspose>(Patterns.getContext(), Arch);
}
