//===- Copies.cpp - Between global memory and buffers ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For architectures whose copy engine takes rows of any length. Rows that lie
// side by side are copied at once, as far as the fields of the instruction
// reach; elements that do not lie side by side are read by the scalar unit, and
// written from blocks that the vector unit fills.
//
//===----------------------------------------------------------------------===//

#include "passes/expand/GlobalMemory.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Distances between rows of global memory have 32 bits.
static constexpr int64_t MostGap = (int64_t(1) << 32) - 1;

namespace {

/// A copy between a window of a view and a buffer.
class Copy {
public:
  Copy(Nest &N, Value View, ArrayRef<OpFoldResult> Offsets,
       ArrayRef<OpFoldResult> Sizes, Value Buffer)
      : N(N), View(View), Offsets(Offsets), Sizes(Sizes), Buffer(Buffer),
        Type(cast<MemRefType>(Buffer.getType())),
        Bytes(Type.getElementTypeBitWidth() / 8),
        Block(N.Arch.blockBytes / Bytes), Rank(Offsets.size()),
        Along(lineDimension(View, Type)), Packed(isPackedColumn(View, Type)) {
    Cols = N.number(Sizes.back());
    Rows = Rank > 1 ? N.number(Sizes[Rank - 2]) : N.constant(1);
  }
  virtual ~Copy() = default;

  LogicalResult build() {
    if (staticStride(View, Along) != 1)
      return elements();
    if (!Left) {
      copyAll();
      return success();
    }
    // Of nothing, not even the padding is to be copied.
    N.ifNotEmpty(Rows, [&] { N.ifNotEmpty(Cols, [&] { copyAll(); }); });
    return success();
  }

protected:
  struct Fields {
    Value Blocks, Bytes, GmGap, UbGap, Cols;
  };
  virtual void issue(ArrayRef<OpFoldResult> Offsets,
                     ArrayRef<OpFoldResult> Sizes, Value Part,
                     const Fields &F) = 0;
  virtual LogicalResult elements() = 0;

  Value offset(unsigned Dim, Value Plus) {
    return N.plus(N.number(Offsets[Dim]), Plus);
  }

  void copyAll() {
    if (Packed || Rank == 1)
      line();
    else if (Type.getDimSize(0) == 1)
      rows(N.constant(0), N.constant(0), Rows, /*Gap=*/N.constant(0));
    else
      manyRows();
  }

  void line() {
    Value Count = Packed ? N.times(Rows, Cols) : Cols;
    issue(Offsets, Sizes,
          FirstCol ? N.slice(Buffer, N.constant(0), FirstCol) : Buffer,
          {N.constant(1), N.times(Count, Bytes), N.constant(0), N.constant(0),
           Count});
  }

  /// Rows from one on, in one instruction.
  void rows(Value First, Value Place, Value Count, Value Gap) {
    SmallVector<OpFoldResult> From(Offsets), Size(Sizes);
    From[Rank - 2] = getAsOpFoldResult(offset(Rank - 2, First));
    Size[Rank - 2] = getAsOpFoldResult(Count);
    Value Length = N.times(Cols, Bytes);
    int64_t Pitch = pitchOf(Type) * Bytes / N.Arch.blockBytes;
    Value InBuffer = Left ? N.plus(N.times(Left, Bytes), Length) : Length;
    Value UbGap = Type.getDimSize(0) == 1
                      ? N.constant(0)
                      : N.minus(N.constant(Pitch),
                                N.divideUp(InBuffer, N.Arch.blockBytes));
    Value Row = FirstRow ? N.plus(FirstRow, Place) : Place;
    issue(From, Size, N.slice(Buffer, Row, FirstCol ? FirstCol : N.constant(0)),
          {Count, Length, Gap, UbGap, Cols});
  }

  void manyRows() {
    int64_t Most = Type.getDimSize(0);
    Value Between = N.minus(strideOf(N, View, Rank - 2), Cols);
    Value Gap = N.times(Between, Bytes);
    auto AtOnce = [&] {
      N.forChunks("r", Rows, Most, N.Arch.copyMaxBursts,
                  [&](Value R, Value Now) { rows(R, R, Now, Gap); });
    };
    auto OneByOne = [&] {
      N.forEach("r", N.constant(0), Rows, 1,
                [&](Value R) { rows(R, R, N.constant(1), N.constant(0)); });
    };
    N.ifInRange(Gap, 0, MostGap, AtOnce, OneByOne);
  }

  Nest &N;
  Value View;
  SmallVector<OpFoldResult> Offsets, Sizes;
  Value Buffer;
  MemRefType Type;
  int64_t Bytes, Block;
  unsigned Rank, Along;
  bool Packed;
  Value Rows, Cols;
  /// Where in the buffer the window begins, if not at its beginning: a row, the
  /// first column of a block, and elements after that.
  Value FirstRow, FirstCol, Left;
};

class CopyIn : public Copy {
public:
  CopyIn(Nest &Into, DmaInOp Op)
      : Copy(Into, Op.getView(), Op.getMixedOffsets(), Op.getMixedSizes(),
             Op.getDst()),
        Op(Op) {
    if (Op.getInset().empty())
      return;
    // Copies begin with a block of the buffer, and pad up to the window.
    Value Col = Op.getInset()[Packed ? 0 : 1];
    // A window in a tile of one row begins with it, or is empty.
    if (!Packed && Type.getDimSize(0) > 1)
      FirstRow = Op.getInset()[0];
    FirstCol = N.times(N.divideDown(Col, Block), Block);
    Left = N.minus(Col, FirstCol);
  }

private:
  /// A row is padded up to the end of its last block; all that follows has the
  /// value already.
  void issue(ArrayRef<OpFoldResult> From, ArrayRef<OpFoldResult> Size,
             Value Part, const Fields &F) override {
    Value Missing;
    if (Op.getPad()) {
      Value End = Left ? N.plus(Left, F.Cols) : F.Cols;
      Missing = N.minus(N.roundUp(End, Block), End);
    }
    copyIn(N, Op.getLoc(), View, From, Size, Part,
           {F.Blocks, F.Bytes, F.GmGap, F.UbGap}, Op.getPad(), Missing, Left);
  }

  LogicalResult elements() override {
    readElements(N, View, Offsets, Sizes, Buffer, Op.getInset());
    return success();
  }

  DmaInOp Op;
};

class CopyOut : public Copy {
public:
  CopyOut(Nest &Into, DmaOutOp Op)
      : Copy(Into, Op.getView(), Op.getMixedOffsets(), Op.getMixedSizes(),
             Op.getSrc()),
        Op(Op) {}

private:
  void issue(ArrayRef<OpFoldResult> To, ArrayRef<OpFoldResult> Size, Value Part,
             const Fields &F) override {
    copyOut(N, Op.getLoc(), Part, View, To, Size,
            {F.Blocks, F.Bytes, F.GmGap, F.UbGap}, Op.getCombineAttr());
  }

  /// Some elements get a block each, from which one copy takes them to their
  /// places, or one for each if these are too far apart.
  LogicalResult elements() override {
    if (Op.getCombine())
      return Op.emitOpError("combines elements that do not lie side by side, "
                            "which cannot be written in AscendC yet");
    if (!Op.getWork())
      return Op.emitOpError("needs space for elements that do not lie side by "
                            "side");
    int64_t Most = Op.getWork().getType().getNumElements() / Block;
    Value Gap =
        N.times(N.minus(strideOf(N, View, Along), N.constant(1)), Bytes);
    auto Parts = [&](bool AtOnce) {
      Value Lines = Packed ? N.constant(1) : Rows;
      Value Length = Packed ? N.times(Rows, Cols) : Cols;
      N.forEach("r", N.constant(0), Lines, 1, [&](Value R) {
        N.forEach("c", N.constant(0), Length, Most, [&](Value C) {
          Value Count = N.partOf(Length, N.constant(0), C, Most);
          giveBlocks(R, C, Count);
          if (AtOnce)
            return part(R, C, Count, Op.getWork(), Gap);
          N.forEach("k", N.constant(0), Count, 1, [&](Value K) {
            Value Of = N.slice(Op.getWork(), N.constant(0), N.times(K, Block));
            part(R, N.plus(C, K), N.constant(1), Of, N.constant(0));
          });
        });
      });
    };
    N.ifInRange(
        Gap, 0, MostGap, [&] { Parts(/*AtOnce=*/true); },
        [&] { Parts(/*AtOnce=*/false); });
    return success();
  }

  /// The vector unit fills blocks; elements that it cannot take go through the
  /// scalar unit. What the instruction waits for has been waited for by MTE3.
  void giveBlocks(Value R, Value C, Value Count) {
    Pipe By = spreadsElements(Op) ? Pipe::V : Pipe::S;
    N.flag(Pipe::MTE3, By);
    By == Pipe::V ? spread(R, C, Count) : writeBlocks(R, C, Count);
    N.flag(By, Pipe::MTE3);
  }

  /// Elements up to a multiple of a repeat's blocks are read, too; they are
  /// inside.
  void spread(Value R, Value C, Value Count) {
    bool IsColumn = Type.getDimSize(1) == 1;
    Value From =
        IsColumn ? N.slice(Buffer, C, N.constant(0)) : N.slice(Buffer, R, C);
    RepBrcbOp::create(N.builder(), N.loc(), From, Op.getWork(),
                      N.divideUp(Count, N.Arch.blocksPerRepeat()));
  }

  void writeBlocks(Value R, Value C, Value Count) {
    Value Start = N.plus(N.times(R, Packed ? 0 : pitchOf(Type)), C);
    N.forEach("k", N.constant(0), Count, 1, [&](Value K) {
      Value Element =
          ReadScalarOp::create(N.builder(), N.loc(), Type.getElementType(),
                               Buffer, N.plus(Start, K));
      WriteScalarOp::create(N.builder(), N.loc(), Element, Op.getWork(),
                            N.times(K, Block));
    });
  }

  void part(Value R, Value C, Value Count, Value From, Value Gap) {
    SmallVector<OpFoldResult> To(Offsets), Size(Sizes);
    To[Along] = getAsOpFoldResult(offset(Along, C));
    Size[Along] = getAsOpFoldResult(Count);
    if (!Packed && Rank > 1) {
      To[Rank - 2] = getAsOpFoldResult(offset(Rank - 2, R));
      Size[Rank - 2] = N.builder().getIndexAttr(1);
    }
    copyOut(N, Op.getLoc(), From, View, To, Size,
            {Count, N.constant(Bytes), Gap, N.constant(0)}, {});
  }

  DmaOutOp Op;
};

struct ExpandDmaIn : ExpandMacro<DmaInOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaInOp Op, Nest &N) const override {
    fillBeforeCopy(N, Op);
    return CopyIn(N, Op).build();
  }
};

struct ExpandDmaOut : ExpandMacro<DmaOutOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaOutOp Op, Nest &N) const override {
    return CopyOut(N, Op).build();
  }
};

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

struct ExpandGather : ExpandMacro<DmaGatherOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaGatherOp Op, Nest &N) const override {
    int64_t Bytes = Op.getDst().getType().getElementTypeBitWidth() / 8;
    gather(N, Op, [&](Value I, Value Place) {
      Value Cols = extentOf(N, Op.getView(), 1), Zero = N.constant(0);
      copyIn(N, Op.getLoc(), Op.getView(),
             {getAsOpFoldResult(Place), N.builder().getIndexAttr(0)},
             {N.builder().getIndexAttr(1), getAsOpFoldResult(Cols)},
             N.slice(Op.getDst(), I, Zero),
             {N.constant(1), N.times(Cols, Bytes), Zero, Zero}, {}, {});
    });
    return success();
  }
};

struct ExpandScatter : ExpandMacro<DmaScatterOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(DmaScatterOp Op, Nest &N) const override {
    if (!isByRows(Op.getView(), Op.getSrc()) && !Op.getWork())
      return Op.emitOpError("needs space for single elements");
    scatter(
        N, Op, [&](Value I, Value Place) { row(Op, N, I, Place); },
        [&](Value From, ArrayRef<OpFoldResult> To) {
          element(Op, N, From, To);
        });
    return success();
  }

private:
  void row(DmaScatterOp Op, Nest &N, Value I, Value Place) const {
    Value Cols = extentOf(N, Op.getView(), 1);
    int64_t Bytes = Op.getSrc().getType().getElementTypeBitWidth() / 8;
    copyOut(N, Op.getLoc(), N.slice(Op.getSrc(), I, N.constant(0)),
            Op.getView(),
            {getAsOpFoldResult(Place), N.builder().getIndexAttr(0)},
            {N.builder().getIndexAttr(1), getAsOpFoldResult(Cols)},
            {N.constant(1), N.times(Cols, Bytes), N.constant(0), N.constant(0)},
            Op.getCombineAttr());
    N.pipeBarrier(Pipe::MTE3);
  }

  /// An element has a block of its own to begin in.
  void element(DmaScatterOp Op, Nest &N, Value From,
               ArrayRef<OpFoldResult> To) const {
    Type Element = Op.getSrc().getType().getElementType();
    int64_t Bytes = Element.getIntOrFloatBitWidth() / 8;
    Value Read =
        ReadScalarOp::create(N.builder(), N.loc(), Element, Op.getSrc(), From);
    N.flag(Pipe::MTE3, Pipe::S);
    WriteScalarOp::create(N.builder(), N.loc(), Read, Op.getWork(),
                          N.constant(0));
    N.flag(Pipe::S, Pipe::MTE3);
    SmallVector<OpFoldResult> Ones(To.size(), N.builder().getIndexAttr(1));
    copyOut(N, Op.getLoc(), Op.getWork(), Op.getView(), To, Ones,
            {N.constant(1), N.constant(Bytes), N.constant(0), N.constant(0)},
            Op.getCombineAttr());
    N.pipeBarrier(Pipe::MTE3);
  }
};

} // namespace

void passes::addCopyPatterns(RewritePatternSet &Patterns,
                             const targets::Arch &Arch) {
  Patterns.add<ExpandDmaIn, ExpandDmaOut, ExpandGather, ExpandScatter>(
      Patterns.getContext(), Arch);
}
