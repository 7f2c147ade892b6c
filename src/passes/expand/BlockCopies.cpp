//===- BlockCopies.cpp - Copies where the engine takes whole blocks -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For architectures whose copy engine takes whole blocks of 32 bytes only. Rows
// that begin whole blocks apart go in one instruction, others one by one. The
// scalar unit brings what is left of a row. Out of the core, the last 32 bytes
// of a row are copied once more as a block that ends where the row ends;
// shorter rows are written by the scalar unit, for which ascend-decide-cores
// has made sure that no other core writes next to them.
//
//===----------------------------------------------------------------------===//

#include "passes/expand/GlobalMemory.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

/// A copy between a window and rows of a buffer from one on.
struct Window {
  Location Loc;
  Value View;
  SmallVector<OpFoldResult> Offsets, Sizes;
  Value Buffer, FirstRow;

  MemRefType type() const { return cast<MemRefType>(Buffer.getType()); }
  unsigned rank() const { return Offsets.size(); }
  bool isPacked() const { return isPackedColumn(View, type()); }
  /// The dimension that neighbours in the buffer are neighbours in.
  unsigned along() const { return lineDimension(View, type()); }
  bool isSideBySide() const { return staticStride(View, along()) == 1; }
  /// The most elements of a line.
  int64_t most() const {
    return isPacked() || rank() == 1 ? type().getNumElements()
                                     : type().getDimSize(1);
  }
};

/// Lines whose elements lie side by side in global memory and in the buffer:
/// the rows of a window, or a column that is packed.
struct Lines {
  Lines(Nest &N, const Window &W)
      : N(N), W(W), HasRows(W.rank() > 1 && !W.isPacked()),
        Block(N.Arch.blockBytes * 8 / W.type().getElementTypeBitWidth()),
        Count(HasRows ? N.number(W.Sizes[W.rank() - 2]) : N.constant(1)),
        Length(N.number(W.Sizes[W.along()])),
        Blocks(W.most() < Block ? N.constant(0) : N.divideDown(Length, Block)),
        FullBlocks(N.times(Blocks, Block)), Rest(N.minus(Length, FullBlocks)) {}

  /// Where in the view an element of a line is.
  SmallVector<OpFoldResult> at(Value Line, Value Element) const {
    SmallVector<OpFoldResult> Place(W.Offsets);
    auto Move = [&](unsigned Dim, Value By) {
      Place[Dim] = getAsOpFoldResult(N.plus(N.number(W.Offsets[Dim]), By));
    };
    Move(W.along(), Element);
    if (HasRows)
      Move(W.rank() - 2, Line);
    return Place;
  }

  /// The sizes of a window of some elements of one line, or of several.
  SmallVector<OpFoldResult> window(Value Elements, Value Rows = {}) const {
    SmallVector<OpFoldResult> Sizes(W.rank(), N.builder().getIndexAttr(1));
    Sizes[W.along()] = getAsOpFoldResult(Elements);
    if (Rows)
      Sizes[W.rank() - 2] = getAsOpFoldResult(Rows);
    return Sizes;
  }

  /// Where in the buffer an element of a line is.
  Value numberOf(Value Line, Value Element) const {
    Value Row = N.plus(W.FirstRow, Line);
    return N.plus(N.times(Row, pitchOf(W.type())), Element);
  }
  Value part(Value Line) const {
    return N.slice(W.Buffer, N.plus(W.FirstRow, Line), N.constant(0));
  }

  Value read(Value Line, Value Element) const {
    return ReadScalarOp::create(N.builder(), N.loc(), W.type().getElementType(),
                                W.Buffer, numberOf(Line, Element));
  }
  void write(Value What, Value Line, Value Element) const {
    WriteScalarOp::create(N.builder(), N.loc(), What, W.Buffer,
                          numberOf(Line, Element));
  }

  void forLines(Nest::Body Make) const {
    if (getConstantIntValue(Count) == 1)
      return Make(N.constant(0));
    N.forEach("r", N.constant(0), Count, 1, Make);
  }

  Nest &N;
  const Window &W;
  bool HasRows;
  int64_t Block;
  /// How many lines, their elements, their whole blocks, the elements of these,
  /// and what is left.
  Value Count, Length, Blocks, FullBlocks, Rest;
};

} // namespace

/// A packed column may have no column at all.
static void withLines(Nest &N, const Window &W,
                      function_ref<void(const Lines &)> Build) {
  auto Make = [&] { Build(Lines(N, W)); };
  W.isPacked() ? N.ifNotEmpty(N.number(W.Sizes.back()), Make) : Make();
}

/// What copies the whole blocks of some lines from one on.
using RowsBuilder = function_ref<void(Value First, const RowFields &Fields)>;

/// The whole blocks of all lines: as many lines as an instruction takes at a
/// time, where they begin whole blocks apart.
static void copyBlocks(const Lines &L, RowsBuilder Rows, Nest::Body Line) {
  Nest &N = L.N;
  MemRefType Buffer = L.W.type();
  int64_t Capacity = Buffer.getDimSize(0), Pitch = pitchOf(Buffer);
  if (getConstantIntValue(L.Count) == 1 || Capacity == 1 || Pitch % L.Block)
    return L.forLines(Line);
  Value Stride = strideOf(N, L.W.View, L.W.rank() - 2);
  Value GmGap = N.minus(N.divideDown(Stride, L.Block), L.Blocks),
        UbGap = N.minus(N.constant(Pitch / L.Block), L.Blocks);
  N.ifAll(
      {N.isMultiple(Stride, L.Block), N.isInRange(GmGap, 0, UINT16_MAX)},
      [&] {
        N.forMasks("r", L.Count, Capacity, N.Arch.copyMaxBursts,
                   [&](Value First, Value Count) {
                     Rows(First, {Count, L.Blocks, GmGap, UbGap});
                   });
      },
      [&] { L.forLines(Line); });
}

//===----------------------------------------------------------------------===//
// Into the core
//===----------------------------------------------------------------------===//

/// What is left of each line after whole blocks; with \p Pad, up to the end of
/// its last block.
static void readRest(const Lines &L, Value Pad) {
  Nest &N = L.N;
  N.flag(Pipe::MTE2, Pipe::S);
  refreshCache(N, L.W.View, L.W.Offsets, L.W.type());
  L.forLines([&](Value R) {
    N.forEach("c", L.FullBlocks, L.Length, 1, [&](Value C) {
      L.write(readGlobal(N, L.W.View, L.at(R, C)), R, C);
    });
    if (Pad)
      N.forEach("c", L.Length, N.plus(L.FullBlocks, N.constant(L.Block)), 1,
                [&](Value C) { L.write(Pad, R, C); });
  });
  N.flag(Pipe::S, Pipe::MTE2);
}

static void copyIn(Nest &N, const Window &W, Value Pad, ValueRange Inset = {}) {
  // Blocks begin where blocks of the buffer begin.
  if (!W.isSideBySide() || !Inset.empty())
    return readElements(N, W.View, W.Offsets, W.Sizes, W.Buffer, Inset);
  withLines(N, W, [&](const Lines &L) {
    auto Rows = [&](Value First, const RowFields &Fields) {
      copyRowsIn(N, W.Loc, W.View, L.at(First, N.constant(0)),
                 L.window(L.FullBlocks, Fields.Rows), L.part(First), Fields);
    };
    auto Line = [&](Value R) {
      copyBlocksIn(N, W.Loc, W.View, L.at(R, N.constant(0)),
                   L.window(L.FullBlocks), L.part(R), L.FullBlocks);
    };
    N.ifNotEmpty(L.FullBlocks, [&] { copyBlocks(L, Rows, Line); });
    N.ifNotEmpty(L.Rest, [&] { readRest(L, Pad); });
  });
}

//===----------------------------------------------------------------------===//
// Out of the core
//===----------------------------------------------------------------------===//

static void writeElements(const Lines &L, CombineAttr Combine) {
  L.forLines([&](Value R) {
    L.N.forEach("c", L.N.constant(0), L.Length, 1, [&](Value C) {
      writeGlobal(L.N, L.read(R, C), L.W.View, L.at(R, C), Combine);
    });
  });
}

/// The last block of each line, put together in \p Work. What has been combined
/// already takes no part again.
static void copyLastBlocks(const Lines &L, Value Work, CombineAttr Combine) {
  Nest &N = L.N;
  Value Block = N.constant(L.Block), Start = N.minus(L.Length, Block);
  Value Copied = Combine ? N.minus(Block, L.Rest) : N.constant(0);
  auto Put = [&](Value What, Value To) {
    WriteScalarOp::create(N.builder(), N.loc(), What, Work, To);
  };
  auto Neutral = [&] {
    return arith::ConstantOp::create(
        N.builder(), N.loc(),
        neutralOf(Combine.getValue(), L.W.type().getElementType()));
  };
  L.forLines([&](Value R) {
    N.forEach("k", N.constant(0), Copied, 1,
              [&](Value K) { Put(Neutral(), K); });
    N.forEach("k", Copied, Block, 1,
              [&](Value K) { Put(L.read(R, N.plus(Start, K)), K); });
    N.flag(Pipe::S, Pipe::MTE3);
    copyBlocksOut(N, L.W.Loc, Work, L.W.View, L.at(R, Start), L.window(Block),
                  Block, Combine);
    N.flag(Pipe::MTE3, Pipe::S);
  });
}

static void writeRest(const Lines &L, Value Work, CombineAttr Combine) {
  Nest &N = L.N;
  N.flag(Pipe::MTE3, Pipe::S);
  // A line of one block at most has no rest after it.
  if (L.W.most() <= L.Block)
    writeElements(L, Combine);
  else
    N.ifAtLeast(
        L.Length, L.Block, [&] { copyLastBlocks(L, Work, Combine); },
        [&] { writeElements(L, Combine); });
  N.flag(Pipe::S, Pipe::MTE3);
}

static void copyOut(Nest &N, const Window &W, Value Work, CombineAttr Combine) {
  withLines(N, W, [&](const Lines &L) {
    auto Rows = [&](Value First, const RowFields &Fields) {
      copyRowsOut(N, W.Loc, L.part(First), W.View, L.at(First, N.constant(0)),
                  L.window(L.FullBlocks, Fields.Rows), Fields, Combine);
    };
    auto Line = [&](Value R) {
      copyBlocksOut(N, W.Loc, L.part(R), W.View, L.at(R, N.constant(0)),
                    L.window(L.FullBlocks), L.FullBlocks, Combine);
    };
    N.ifNotEmpty(L.FullBlocks, [&] { copyBlocks(L, Rows, Line); });
    N.ifNotEmpty(L.Rest, [&] { writeRest(L, Work, Combine); });
  });
}

/// Elements that do not lie side by side.
static void writeApart(Nest &N, const Window &W, CombineAttr Combine) {
  N.flag(Pipe::MTE3, Pipe::S);
  forElements(N, W.Offsets, W.Sizes, W.type(), /*Inset=*/{},
              [&](Value From, ArrayRef<OpFoldResult> To) {
                Value Read = ReadScalarOp::create(N.builder(), N.loc(),
                                                  W.type().getElementType(),
                                                  W.Buffer, From);
                writeGlobal(N, Read, W.View, To, Combine);
              });
  N.flag(Pipe::S, Pipe::MTE3);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

bool passes::mayEndInsideBlock(const targets::Arch &Arch, MemRefType Buffer,
                               std::optional<int64_t> Length) {
  int64_t Block = Arch.blockBytes * 8 / Buffer.getElementTypeBitWidth();
  return Length ? *Length > Block && *Length % Block != 0
                : Buffer.getNumElements() > Block;
}

namespace {

struct ExpandDmaIn : ExpandMacro<DmaInOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaInOp Op, Nest &N) const override {
    fillBeforeCopy(N, Op);
    copyIn(N,
           {Op.getLoc(), Op.getView(), Op.getMixedOffsets(), Op.getMixedSizes(),
            Op.getDst(), N.constant(0)},
           Op.getPad(), Op.getInset());
    return success();
  }
};

struct ExpandDmaOut : ExpandMacro<DmaOutOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaOutOp Op, Nest &N) const override {
    Window W{Op.getLoc(),        Op.getView(), Op.getMixedOffsets(),
             Op.getMixedSizes(), Op.getSrc(),  N.constant(0)};
    if (!W.isSideBySide()) {
      writeApart(N, W, Op.getCombineAttr());
      return success();
    }
    if (!Op.getWork() &&
        mayEndInsideBlock(Arch, W.type(),
                          getConstantIntValue(W.Sizes[W.along()])))
      return Op.emitOpError("needs space for the last block of a row");
    copyOut(N, W, Op.getWork(), Op.getCombineAttr());
    return success();
  }
};

/// A row that an index names.
static Window rowOf(Nest &N, Location Loc, Value View, Value Buffer, Value Row,
                    Value Place) {
  Builder &B = N.builder();
  return {Loc,
          View,
          {getAsOpFoldResult(Place), B.getIndexAttr(0)},
          {B.getIndexAttr(1), getAsOpFoldResult(extentOf(N, View, 1))},
          Buffer,
          Row};
}

struct ExpandGather : ExpandMacro<DmaGatherOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaGatherOp Op, Nest &N) const override {
    gather(N, Op, [&](Value Row, Value Place) {
      copyIn(N, rowOf(N, Op.getLoc(), Op.getView(), Op.getDst(), Row, Place),
             Value());
    });
    return success();
  }
};

struct ExpandScatter : ExpandMacro<DmaScatterOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaScatterOp Op, Nest &N) const override {
    MemRefType Src = Op.getSrc().getType();
    bool ByRows = isByRows(Op.getView(), Op.getSrc());
    if (ByRows && !Op.getWork() &&
        mayEndInsideBlock(Arch, Src,
                          getConstantIntValue(extentOf(N, Op.getView(), 1))))
      return Op.emitOpError("needs space for the last block of a row");
    auto Row = [&](Value Number, Value Place) {
      copyOut(N,
              rowOf(N, Op.getLoc(), Op.getView(), Op.getSrc(), Number, Place),
              Op.getWork(), Op.getCombineAttr());
      N.pipeBarrier(Pipe::MTE3);
    };
    auto Element = [&](Value From, ArrayRef<OpFoldResult> To) {
      Value Read = ReadScalarOp::create(
          N.builder(), N.loc(), Src.getElementType(), Op.getSrc(), From);
      writeGlobal(N, Read, Op.getView(), To, Op.getCombineAttr());
    };
    scatter(N, Op, Row, Element);
    if (!ByRows)
      N.flag(Pipe::S, Pipe::MTE3);
    return success();
  }
};

} // namespace

void passes::addBlockCopyPatterns(RewritePatternSet &Patterns,
                                  const targets::Arch &Arch) {
  Patterns.add<ExpandDmaIn, ExpandDmaOut, ExpandGather, ExpandScatter>(
      Patterns.getContext(), Arch);
}
