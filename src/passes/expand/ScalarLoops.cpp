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

/// Blocks between two repeats: a field of 8 bits.
constexpr int64_t MaxStride = 255;

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
    if (std::optional<int64_t> Lines = linesToSweep(Op))
      return sweep(Op, N, *Lines);
    auto Row = [&](Value Buffer, Value R) {
      return N.slice(Buffer, R, N.constant(0));
    };
    if (Op.getSrc() != Op.getDst())
      copyLine(N, Op.getSrc(), Op.getDst(), Op.getCols());
    N.forEach("r", N.constant(1), Op.getRows(), 1, [&](Value R) {
      N.vectorBarrier();
      VecBinaryOp::create(N.builder(), Op.getLoc(), binaryOf(Op.getCombine()),
                          Row(Op.getDst(), N.minus(R, N.constant(1))),
                          Row(Op.getSrc(), R), Row(Op.getDst(), R),
                          Op.getCols());
    });
  }

  /// Lines that a repeat can step over: how many the largest group has whose
  /// neighbour is one repeat further.
  int64_t linesOfGroup(MemRefType Type, int64_t Lines) const {
    int64_t Group = 1;
    while (2 * Group <= Lines && 2 * Group * blocksOfLine(Type) <= MaxStride)
      Group *= 2;
    return Group;
  }

  int64_t blocksOfLine(MemRefType Type) const {
    return pitchOf(Type) * Type.getElementTypeBitWidth() / 8 / Arch.blockBytes;
  }

  /// How many lines there are, if that is known and one instruction after the
  /// other would take longer than sweeps over all of them.
  std::optional<int64_t> linesToSweep(VecScanOp Op) const {
    // Cycles that an instruction takes beside its repeats, and a barrier.
    constexpr int64_t Start = 24, Barrier = 5;
    MemRefType Type = Op.getDst().getType();
    std::optional<int64_t> Lines = getConstantIntValue(Op.getRows());
    int64_t Bytes = Type.getElementTypeBitWidth() / 8;
    if (!Lines || Bytes != 4 || pitchOf(Type) * Bytes % Arch.blockBytes ||
        *Lines / 2 > Arch.maxRepeat)
      return std::nullopt;
    int64_t Parts =
        llvm::divideCeil(Type.getDimSize(1) * Bytes, Arch.repeatBytes);
    int64_t Group = linesOfGroup(Type, *Lines);
    int64_t Levels = llvm::Log2_64(Group);
    int64_t Steps = 2 * Levels + *Lines / Group - 1;
    int64_t OneByOne = (*Lines - 1) * (Start + Barrier + Parts);
    int64_t Sweeps = Parts * (Steps * (Start + Barrier) + 2 * *Lines);
    return Sweeps < OneByOne ? Lines : std::nullopt;
  }

  /// The last line of each group of 2, 4, 8, ... gets what the group has, then
  /// all groups' last lines what those before have, then the lines between
  /// them: two additions for each line instead of one, but as many
  /// instructions as there are steps.
  void sweep(VecScanOp Op, Nest &N, int64_t Lines) const {
    MemRefType Type = Op.getDst().getType();
    int64_t Group = linesOfGroup(Type, Lines), Line = blocksOfLine(Type);
    // Line To + n * Step gets line From + n * Step, for some n.
    auto Add = [&](int64_t From, int64_t To, int64_t Step, int64_t Times) {
      if (Times <= 0)
        return;
      int64_t Stride = Times > 1 ? Step * Line : 0;
      N.forMasks("c", Op.getCols(), Type.getDimSize(1),
                 int64_t(Arch.repeatBytes) * 8 / Type.getElementTypeBitWidth(),
                 [&](Value C, Value Mask) {
                   N.vectorBarrier();
                   Value Dst = N.slice(Op.getDst(), N.constant(To), C);
                   RepBinaryOp::create(
                       N.builder(), Op.getLoc(), binaryOf(Op.getCombine()),
                       N.slice(Op.getDst(), N.constant(From), C), Dst, Dst,
                       Mask, N.constant(Times), ArrayRef<int64_t>{1, 1, 1},
                       ArrayRef<int64_t>{Stride, Stride, Stride});
                 });
    };
    if (Op.getSrc() != Op.getDst())
      copyLine(N, Op.getSrc(), Op.getDst(), N.constant(Lines * pitchOf(Type)));
    for (int64_t Half = 1; Half < Group; Half *= 2)
      Add(Half - 1, 2 * Half - 1, 2 * Half, Lines / (2 * Half));
    for (int64_t Last = 2 * Group - 1; Last < Lines; Last += Group)
      Add(Last - Group, Last, Group, 1);
    for (int64_t Half = Group / 2; Half; Half /= 2)
      Add(2 * Half - 1, 3 * Half - 1, 2 * Half, (Lines - Half) / (2 * Half));
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
  int64_t Block = int64_t(Arch.blockBytes) * 8 / Bits;
  return Rows % AtOnce == 0 && Cols % Block == 0 &&
         Cols / Block <= Arch.maxRepeat;
}

void passes::addScalarPatterns(RewritePatternSet &Patterns,
                               const targets::Arch &Arch) {
  Patterns.add<ExpandScan, ExpandTranspose>(Patterns.getContext(), Arch);
}
