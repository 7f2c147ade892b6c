//===- Broadcasts.cpp - Rows, columns and elements that are repeated ------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

static int64_t bitsOf(MemRefType Buffer) {
  return Buffer.getElementTypeBitWidth();
}

/// Elements of a block, and lanes of a repeat.
static int64_t blockOf(const Nest &N, MemRefType Buffer) {
  return N.Arch.blockBytes * 8 / bitsOf(Buffer);
}
static int64_t lanesOf(const Nest &N, MemRefType Buffer) {
  return N.Arch.repeatBytes * 8 / bitsOf(Buffer);
}

/// Gives each of \p Rows elements of a column a block of \p Work, from \p First
/// on.
static void brcb(Nest &N, Value Column, Value Work, Value First, Value Rows) {
  auto Type = cast<MemRefType>(Column.getType());
  RepBrcbOp::create(
      N.builder(), N.loc(), N.slice(Column, First, N.constant(0)),
      N.slice(Work, N.constant(0), N.times(First, blockOf(N, Type))),
      N.divideUp(Rows, N.Arch.blocksPerRepeat()));
}

namespace {

struct ExpandSpread : ExpandMacro<VecSpreadOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecSpreadOp Op, Nest &N) const override {
    MemRefType Column = Op.getSrc().getType();
    int64_t Most = rowsAtOnce(Arch, Column.getElementType());
    bool Several = Column.getDimSize(0) > Most;
    // A repeat takes eight rows, so this is far below what its field holds.
    N.forChunks("r", Op.getRows(), Column.getDimSize(0), Most,
                [&](Value First, Value Rows) {
                  if (Several)
                    N.vectorBarrier();
                  brcb(N, Op.getSrc(), Op.getDst(), First, Rows);
                });
    return success();
  }
};

struct ExpandRepeated : ExpandMacro<VecRepeatedOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecRepeatedOp Op, Nest &N) const override {
    MemRefType Type = Op.getSrc().getType();
    int64_t Block = blockOf(N, Type), Pitch = pitchOf(Type) / Block;
    bool Column = Op.getAxis() == Axis::Col;
    if (hasFewRows(Op, N))
      return rowByRow(Op, N);
    // A column has a block for each row, a row is the same for all.
    int64_t Blocks[] = {1, 1, Column ? 0 : 1};
    int64_t Rows[] = {Pitch, Pitch, Column ? 1 : 0};
    if (Op.getReversed()) {
      std::swap(Blocks[1], Blocks[2]);
      std::swap(Rows[1], Rows[2]);
    }
    N.forChunks(
        "r", Op.getRows(), Type.getDimSize(0),
        rowsAtOnce(Arch, Type.getElementType()), [&](Value R, Value Now) {
          N.forMasks("c", Op.getCols(), Type.getDimSize(1), lanesOf(N, Type),
                     [&](Value C, Value Mask) {
                       Value Src = N.slice(Op.getSrc(), R, C);
                       Value Same =
                           Column ? N.slice(Op.getRepeated(), N.constant(0),
                                            N.times(R, Block))
                                  : N.slice(Op.getRepeated(), N.constant(0), C);
                       bool Left = Op.getReversed();
                       RepBinaryOp::create(
                           N.builder(), Op.getLoc(), Op.getKind(),
                           Left ? Same : Src, Left ? Src : Same,
                           N.slice(Op.getDst(), R, C), Mask, Now, Blocks, Rows);
                     });
        });
    return success();
  }

private:
  /// Whether rows are whole repeats, and no more of them than repeats in each:
  /// an instruction for each row starts fewer than one for each repeat of all.
  static bool hasFewRows(VecRepeatedOp Op, const Nest &N) {
    MemRefType Type = Op.getSrc().getType();
    int64_t Cols = Type.getDimSize(1), Lanes = lanesOf(N, Type);
    return getConstantIntValue(Op.getCols()) == Cols && Cols % Lanes == 0 &&
           Cols / Lanes <= N.Arch.maxRepeat &&
           Type.getDimSize(0) <= Cols / Lanes;
  }

  LogicalResult rowByRow(VecRepeatedOp Op, Nest &N) const {
    MemRefType Type = Op.getSrc().getType();
    int64_t Block = blockOf(N, Type), Lanes = lanesOf(N, Type);
    auto Repeat = static_cast<int64_t>(N.Arch.blocksPerRepeat());
    bool Column = Op.getAxis() == Axis::Col, Left = Op.getReversed();
    // The block of a row is the same for all of it.
    int64_t Blocks[] = {1, 1, Column ? 0 : 1};
    int64_t Repeats[] = {Repeat, Repeat, Column ? 0 : Repeat};
    if (Left) {
      std::swap(Blocks[1], Blocks[2]);
      std::swap(Repeats[1], Repeats[2]);
    }
    N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
      Value Src = N.slice(Op.getSrc(), R, N.constant(0));
      Value Same =
          Column ? N.slice(Op.getRepeated(), N.constant(0), N.times(R, Block))
                 : N.slice(Op.getRepeated(), 0, 0);
      RepBinaryOp::create(
          N.builder(), Op.getLoc(), Op.getKind(), Left ? Same : Src,
          Left ? Src : Same, N.slice(Op.getDst(), R, N.constant(0)),
          N.constant(Lanes), N.constant(Type.getDimSize(1) / Lanes), Blocks,
          Repeats);
    });
    return success();
  }
};

struct ExpandBroadcast : ExpandMacro<VecBroadcastOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecBroadcastOp Op, Nest &N) const override {
    MemRefType Src = Op.getSrc().getType();
    if (Src.getNumElements() == 1)
      repeatElement(Op, N);
    else if (Src.getDimSize(0) == 1)
      repeatRow(Op, N);
    else if (Op.getWork() && Arch.hasRepeatCopy && hasBrcb(Src))
      isLong(N, Op.getDst().getType()) ? repeatInLongRows(Op, N)
                                       : repeatColumn(Op, N);
    else
      fillRows(Op, N);
    return success();
  }

private:
  static bool hasBrcb(MemRefType Type) {
    return bitsOf(Type) == 16 || bitsOf(Type) == 32;
  }

  void repeatElement(VecBroadcastOp Op, Nest &N) const {
    MemRefType Dst = Op.getDst().getType();
    N.flag(Pipe::V, Pipe::S);
    Value Element = ReadScalarOp::create(
        N.builder(), N.loc(), Dst.getElementType(), Op.getSrc(), N.constant(0));
    Value Count = Dst.getDimSize(0) == 1 ? Op.getCols()
                  : Dst.getDimSize(1) == 1
                      ? Op.getRows()
                      : N.times(Op.getRows(), pitchOf(Dst));
    fillLine(N, Element, Op.getDst(), Count);
  }

  /// All of the row, with what is between the end of its elements and the next
  /// row: that is never stored.
  void repeatRow(VecBroadcastOp Op, Nest &N) const {
    int64_t Pitch = pitchOf(Op.getDst().getType());
    N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
      copyLine(N, Op.getSrc(), N.slice(Op.getDst(), R, N.constant(0)),
               N.constant(Pitch));
    });
  }

  /// First as a block for each row, then the block along the row.
  void repeatColumn(VecBroadcastOp Op, Nest &N) const {
    MemRefType Dst = Op.getDst().getType();
    int64_t Block = blockOf(N, Dst);
    int64_t Most = rowsAtOnce(Arch, Dst.getElementType());
    bool Several = Dst.getDimSize(0) > Most;
    N.forChunks("r", Op.getRows(), Dst.getDimSize(0), Most,
                [&](Value R, Value Now) {
                  if (Several)
                    N.vectorBarrier();
                  brcb(N, Op.getSrc(), Op.getWork(), R, Now);
                  N.vectorBarrier();
                  N.forMasks("c", Op.getCols(), Dst.getDimSize(1),
                             lanesOf(N, Dst), [&](Value C, Value Mask) {
                               RepCopyOp::create(
                                   N.builder(), Op.getLoc(),
                                   N.slice(Op.getWork(), N.constant(0),
                                           N.times(R, Block)),
                                   N.slice(Op.getDst(), R, C), Mask, Now,
                                   ArrayRef<int64_t>{1, 0},
                                   ArrayRef<int64_t>{pitchOf(Dst) / Block, 1});
                             });
                });
  }

  /// Whether strides between repeats do not reach from row to row.
  static bool isLong(const Nest &N, MemRefType Dst) {
    return pitchOf(Dst) / blockOf(N, Dst) > N.Arch.maxRepeat;
  }

  /// Each block along its row: whole repeats, then what is left.
  void repeatInLongRows(VecBroadcastOp Op, Nest &N) const {
    MemRefType Dst = Op.getDst().getType();
    int64_t Block = blockOf(N, Dst), Lanes = lanesOf(N, Dst);
    int64_t Most = rowsAtOnce(Arch, Dst.getElementType());
    N.forChunks("r", Op.getRows(), Dst.getDimSize(0), Most,
                [&](Value R, Value Now) {
                  N.vectorBarrier();
                  brcb(N, Op.getSrc(), Op.getWork(), R, Now);
                });
    Value FullRepeats = N.divideDown(Op.getCols(), Lanes);
    Value Start = N.times(FullRepeats, Lanes),
          Rest = N.minus(Op.getCols(), Start);
    auto Fill = [&](Value R, Value C, Value Mask, Value Repeat) {
      N.vectorBarrier();
      RepCopyOp::create(N.builder(), Op.getLoc(),
                        N.slice(Op.getWork(), N.constant(0), N.times(R, Block)),
                        N.slice(Op.getDst(), R, C), Mask, Repeat,
                        ArrayRef<int64_t>{1, 0},
                        ArrayRef<int64_t>{int64_t(Arch.blocksPerRepeat()), 0});
    };
    N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
      N.forChunks("k", FullRepeats, Dst.getDimSize(1) / Lanes, Arch.maxRepeat,
                  [&](Value K, Value Now) {
                    Fill(R, N.times(K, Lanes), N.constant(Lanes), Now);
                  });
      N.ifNotEmpty(Rest, [&] { Fill(R, Start, Rest, N.constant(1)); });
    });
  }

  /// Row by row, from the scalar unit.
  void fillRows(VecBroadcastOp Op, Nest &N) const {
    MemRefType Dst = Op.getDst().getType();
    N.flag(Pipe::V, Pipe::S);
    N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
      Value Element = ReadScalarOp::create(
          N.builder(), N.loc(), Dst.getElementType(), Op.getSrc(), R);
      // With what follows the row's elements: that is never stored.
      fillLine(N, Element, N.slice(Op.getDst(), R, N.constant(0)),
               N.constant(pitchOf(Dst)));
    });
  }
};

} // namespace

void passes::addBroadcastPatterns(RewritePatternSet &Patterns,
                                  const targets::Arch &Arch) {
  Patterns.add<ExpandSpread, ExpandRepeated, ExpandBroadcast>(
      Patterns.getContext(), Arch);
}
