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
    bool Blocks = Op.getWork() && Arch.hasRepeatCopy && hasBrcb(Src);
    if (Src.getNumElements() == 1)
      Blocks ? repeatElement(Op, N) : fillWithElement(Op, N);
    else if (Src.getDimSize(0) == 1)
      repeatRow(Op, N);
    else if (Blocks)
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

  /// From the scalar unit.
  void fillWithElement(VecBroadcastOp Op, Nest &N) const {
    N.flag(Pipe::V, Pipe::S);
    Value Element = ReadScalarOp::create(N.builder(), N.loc(),
                                         Op.getDst().getType().getElementType(),
                                         Op.getSrc(), N.constant(0));
    MemRefType Dst = Op.getDst().getType();
    Value Count = Dst.getDimSize(0) == 1 ? Op.getCols()
                  : Dst.getDimSize(1) == 1
                      ? Op.getRows()
                      : N.times(Op.getRows(), pitchOf(Dst));
    fillLine(N, Element, Op.getDst(), Count);
  }

  /// As a block, which is copied all over the destination, gaps between rows
  /// included: the element never leaves the vector unit.
  void repeatElement(VecBroadcastOp Op, Nest &N) const {
    MemRefType Dst = Op.getDst().getType();
    int64_t Rows = Dst.getDimSize(0), Cols = Dst.getDimSize(1);
    brcb(N, Op.getSrc(), Op.getWork(), N.constant(0), N.constant(1));
    if (Cols == 1)
      return fillFromBlock(N, Op.getWork(), Op.getRows(), Rows, [&](Value R) {
        return N.slice(Op.getDst(), R, N.constant(0));
      });
    auto At = [&](Value C) { return N.slice(Op.getDst(), N.constant(0), C); };
    int64_t Pitch = pitchOf(Dst), Lanes = lanesOf(N, Dst);
    if (Rows == 1)
      fillFromBlock(N, Op.getWork(), Op.getCols(), Cols, At);
    else if (Pitch % Lanes == 0)
      fillRepeats(N, Op.getWork(), N.times(Op.getRows(), Pitch / Lanes),
                  Rows * Pitch / Lanes, At);
    else
      fillFromBlock(N, Op.getWork(), N.times(Op.getRows(), Pitch), Rows * Pitch,
                    At);
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

  using PlaceOf = llvm::function_ref<Value(Value)>;

  static void copyBlock(Nest &N, Value Block, Value Dst, Value Mask,
                        Value Repeats) {
    N.vectorBarrier();
    RepCopyOp::create(N.builder(), N.loc(), Block, Dst, Mask, Repeats,
                      ArrayRef<int64_t>{1, 0},
                      ArrayRef<int64_t>{int64_t(N.Arch.blocksPerRepeat()), 0});
  }

  /// A block in all lanes of \p Repeats repeats, which begin where \p At says
  /// of the places of their first lanes.
  static void fillRepeats(Nest &N, Value Block, Value Repeats, int64_t Capacity,
                          PlaceOf At) {
    int64_t Lanes = lanesOf(N, cast<MemRefType>(Block.getType()));
    N.forChunks(
        "k", Repeats, Capacity, N.Arch.maxRepeat, [&](Value K, Value Now) {
          copyBlock(N, Block, At(N.times(K, Lanes)), N.constant(Lanes), Now);
        });
  }

  /// The same for \p Count elements: whole repeats, then what is left.
  static void fillFromBlock(Nest &N, Value Block, Value Count, int64_t Capacity,
                            PlaceOf At) {
    int64_t Lanes = lanesOf(N, cast<MemRefType>(Block.getType()));
    Value FullRepeats = N.divideDown(Count, Lanes);
    Value Start = N.times(FullRepeats, Lanes), Rest = N.minus(Count, Start);
    fillRepeats(N, Block, FullRepeats, Capacity / Lanes, At);
    N.ifNotEmpty(Rest,
                 [&] { copyBlock(N, Block, At(Start), Rest, N.constant(1)); });
  }

  /// Each block along its row.
  void repeatInLongRows(VecBroadcastOp Op, Nest &N) const {
    MemRefType Dst = Op.getDst().getType();
    int64_t Most = rowsAtOnce(Arch, Dst.getElementType());
    N.forChunks("r", Op.getRows(), Dst.getDimSize(0), Most,
                [&](Value R, Value Now) {
                  N.vectorBarrier();
                  brcb(N, Op.getSrc(), Op.getWork(), R, Now);
                });
    N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
      Value Block =
          N.slice(Op.getWork(), N.constant(0), N.times(R, blockOf(N, Dst)));
      fillFromBlock(N, Block, Op.getCols(), Dst.getDimSize(1),
                    [&](Value C) { return N.slice(Op.getDst(), R, C); });
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
