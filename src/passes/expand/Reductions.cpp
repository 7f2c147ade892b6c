//===- Reductions.cpp - Rows and columns to one element -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of one column is packed, so that its rows are no repeats: each layout
// has a form of its own here. A reduction of nothing gives the neutral element.
//
//===----------------------------------------------------------------------===//

#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Lengths of the rows that folding leaves: each step makes one element of each
/// block, until a repeat has room for the rest. Empty where rows do not consist
/// of whole repeats, or where adding repeat to repeat starts fewer
/// instructions.
static SmallVector<int64_t> foldedLengths(const targets::Arch &Arch,
                                          MemRefType Src) {
  // What an instruction costs before its first repeat, in repeats.
  constexpr int64_t Start = 32;
  int64_t Length = Src.getDimSize(1), Rows = Src.getDimSize(0);
  if (!Src.getElementType().isF32() || pitchOf(Src) != Length)
    return {};
  int64_t Lanes = Arch.repeatBytes / 4, Block = Arch.blockBytes / 4;
  int64_t Repeats = Length / Lanes;
  SmallVector<int64_t> Lengths;
  while (Length > Lanes) {
    if (Length % Lanes)
      return {};
    Length /= Block;
    Lengths.push_back(Length);
  }
  auto Steps = static_cast<int64_t>(Lengths.size());
  bool Pays = Start * (Repeats - 1 - Steps) > Rows * (Repeats / 7 + 1);
  if (Length % Block || Repeats > Arch.maxRepeat || !Pays)
    return {};
  return Lengths;
}

namespace {

/// One reduction, with what its instructions need to know.
class Reduction {
public:
  Reduction(VecReduceOp Op, Nest &N)
      : Op(Op), N(N), Src(Op.getSrc().getType()), Element(Src.getElementType()),
        How(Op.getCombine()),
        Lanes(N.Arch.repeatBytes * 8 / Src.getElementTypeBitWidth()) {
    // Columns may have become known only after the space was made.
    bool AllColumns = getConstantIntValue(Op.getCols()) == Src.getDimSize(1);
    int64_t Places = findsPlaces() ? 2 * Src.getDimSize(0) : 0;
    if (Op.getWork().getType().getNumElements() <
        foldedElements(N.Arch, Src, AllColumns) + Places)
      AllColumns = false;
    Space = foldedElements(N.Arch, Src, AllColumns);
    if (AllColumns)
      Lengths = foldedLengths(N.Arch, Src);
  }

  void build() {
    if (Op.getAxis() == Axis::Row)
      alongRows();
    else
      downColumns();
  }

private:
  bool isVector() const {
    return How != Combine::Prod && (Element.isF16() || Element.isF32());
  }

  void alongRows() {
    if (Src.getDimSize(1) == 1)
      return copyOr(Op.getCols(), Op.getRows());
    if (!isVector())
      return byHalves(Op.getRows(), Op.getCols());
    if (Src.getDimSize(0) == 1)
      return line(N.times(Op.getRows(), Op.getCols()));
    N.ifNotEmpty(
        Op.getCols(), [&] { manyRows(); }, [&] { neutral(Op.getRows()); });
  }

  void downColumns() {
    if (Src.getDimSize(0) == 1)
      return copyOr(Op.getRows(), Op.getCols());
    if (Src.getDimSize(1) > 1)
      return N.ifNotEmpty(
          Op.getRows(), [&] { rowByRow(); }, [&] { neutral(Op.getCols()); });
    // A column is packed: its elements are one line.
    Value Count = N.times(Op.getRows(), Op.getCols());
    if (isVector())
      return line(Count);
    byHalves(N.constant(1), Count);
  }

  void neutral(Value Count) {
    Value Nothing = arith::ConstantOp::create(N.builder(), N.loc(),
                                              neutralOf(How, Element));
    fillLine(N, Nothing, Op.getDst(), Count);
  }

  /// One element is its own combination.
  void copyOr(Value Along, Value Count) {
    N.ifNotEmpty(
        Along, [&] { copyLine(N, Op.getSrc(), Op.getDst(), Count); },
        [&] { neutral(Count); });
  }

  void line(Value Count) {
    N.ifNotEmpty(
        Count,
        [&] {
          LibReduceOp::create(N.builder(), Op.getLoc(), How, /*place=*/false,
                              Op.getSrc(), Op.getDst(), Count, Op.getWork());
        },
        [&] { neutral(N.constant(1)); });
  }

  void rowByRow() {
    copyLine(N, Op.getSrc(), Op.getDst(), Op.getCols());
    N.forEach("r", N.constant(1), Op.getRows(), 1, [&](Value R) {
      N.vectorBarrier();
      VecBinaryOp::create(N.builder(), Op.getLoc(), binaryOf(How), Op.getDst(),
                          N.slice(Op.getSrc(), R, N.constant(0)), Op.getDst(),
                          Op.getCols());
    });
  }

  /// What no instruction combines across lanes.
  void byHalves(Value Rows, Value Cols) {
    int64_t Needs = halvedElements(N.Arch, How, Src);
    if (Needs && Op.getWork().getType().getNumElements() >= Needs)
      combineByHalves(N, Op, Rows, Cols);
    else
      byScalarUnit(Rows, Cols);
  }

  void byScalarUnit(Value Rows, Value Cols) {
    int64_t Pitch = pitchOf(Src);
    onScalarUnit(N, [&] {
      N.forEach("r", N.constant(0), Rows, 1, [&](Value R) {
        Value Init = arith::ConstantOp::create(N.builder(), N.loc(),
                                               neutralOf(How, Element));
        Value Start = N.times(R, Pitch);
        Value All = N.forEach("c", N.constant(0), Cols, 1, Init,
                              [&](Value C, Value Before) -> Value {
                                Value Now = ReadScalarOp::create(
                                    N.builder(), N.loc(), Element, Op.getSrc(),
                                    N.plus(Start, C));
                                return combineScalars(N, How, Before, Now);
                              });
        WriteScalarOp::create(N.builder(), N.loc(), All, Op.getDst(), R);
      });
    });
  }

  //===--------------------------------------------------------------------===//
  // All rows at once
  //===--------------------------------------------------------------------===//

  void manyRows() {
    if (pitchInBlocks() > 255 && Lengths.empty())
      return longRows();
    // A loop over parts of the rows has no empty part, and a single part is
    // all rows: GatherMask cannot gather nothing.
    if (findsPlaces() && Src.getDimSize(0) <= rowsAtOnce(N.Arch, Element))
      N.ifNotEmpty(Op.getRows(), [&] { partsOfRows(); });
    else
      partsOfRows();
  }

  void partsOfRows() {
    int64_t Most = rowsAtOnce(N.Arch, Element), Rows = Src.getDimSize(0);
    N.forChunks("r", Op.getRows(), Rows, Most, [&](Value R, Value Now) {
      // The next rows use the same space.
      if (Rows > Most)
        N.vectorBarrier();
      Value First = N.slice(Op.getSrc(), R, N.constant(0));
      if (Src.getDimSize(1) <= Lanes)
        return reduce(First, Op.getCols(), pitchInBlocks(), R, Now);
      if (!Lengths.empty())
        return foldBlocks(R, Now);
      N.ifAtLeast(
          Op.getCols(), Lanes + 1,
          [&] {
            fold(R, Now);
            N.vectorBarrier();
            reduce(Op.getWork(), N.constant(Lanes), blocksPerRepeat(), R, Now);
          },
          [&] { reduce(First, Op.getCols(), pitchInBlocks(), R, Now); });
    });
  }

  /// Strides between repeats do not reach from row to row.
  void longRows() {
    N.forEach("r", N.constant(0), Op.getRows(), 1, [&](Value R) {
      LibReduceOp::create(N.builder(), Op.getLoc(), How, /*place=*/false,
                          N.slice(Op.getSrc(), R, N.constant(0)),
                          N.slice(Op.getDst(), R, N.constant(0)), Op.getCols(),
                          Op.getWork());
      N.vectorBarrier();
    });
  }

  /// Rows of more than a repeat are folded to one in the space.
  void fold(Value R, Value Now) {
    int64_t Pitch = pitchInBlocks(), Repeat = blocksPerRepeat();
    Value First = N.slice(Op.getSrc(), R, N.constant(0));
    Value Begin;
    auto Two = [&] {
      RepBinaryOp::create(N.builder(), Op.getLoc(), binaryOf(How), First,
                          N.slice(Op.getSrc(), R, N.constant(Lanes)),
                          Op.getWork(), N.constant(Lanes), Now,
                          ArrayRef<int64_t>{1, 1, 1},
                          ArrayRef<int64_t>{Repeat, Pitch, Pitch});
      return N.constant(2 * Lanes);
    };
    auto One = [&] {
      Value Unit = arith::ConstantOp::create(
          N.builder(), N.loc(), N.builder().getFloatAttr(Element, 1.0));
      RepScalarOp::create(N.builder(), Op.getLoc(), Binary::Mul, First, Unit,
                          Op.getWork(), N.constant(Lanes), Now,
                          ArrayRef<int64_t>{1, 1},
                          ArrayRef<int64_t>{Repeat, Pitch});
      return N.constant(Lanes);
    };
    if (Src.getDimSize(1) < 2 * Lanes)
      Begin = One();
    else
      Begin = N.choose(Op.getCols(), 2 * Lanes, Two, One);
    N.forEach("c", Begin, Op.getCols(), Lanes, [&](Value C) {
      N.vectorBarrier();
      RepBinaryOp::create(N.builder(), Op.getLoc(), binaryOf(How), Op.getWork(),
                          N.slice(Op.getSrc(), R, C), Op.getWork(),
                          N.partOf(Op.getCols(), Begin, C, Lanes), Now,
                          ArrayRef<int64_t>{1, 1, 1},
                          ArrayRef<int64_t>{Repeat, Repeat, Pitch});
    });
  }

  /// Block by block, from one part of the space to the next.
  void foldBlocks(Value R, Value Now) {
    int64_t Rows = std::min(Src.getDimSize(0), rowsAtOnce(N.Arch, Element));
    Value From = N.slice(Op.getSrc(), R, N.constant(0));
    int64_t Long = Src.getDimSize(1), At = 0, Before = -1;
    for (int64_t Short : Lengths) {
      int64_t Repeats = Long / Lanes;
      N.forChunks(
          "r", Now, Rows, N.Arch.maxRepeat / Repeats,
          [&](Value First, Value Count) {
            // Which parts the instructions of a loop use is not followed.
            if (Rows > N.Arch.maxRepeat / Repeats)
              N.vectorBarrier();
            Value Src =
                Before < 0
                    ? N.slice(Op.getSrc(), N.plus(R, First), N.constant(0))
                    : N.slice(Op.getWork(), N.constant(0),
                              N.plus(N.constant(Before), N.times(First, Long)));
            Value Dst = N.slice(Op.getWork(), N.constant(0),
                                N.plus(N.constant(At), N.times(First, Short)));
            RepBlockReduceOp::create(N.builder(), Op.getLoc(), How, Src, Dst,
                                     N.times(Count, Repeats));
          });
      N.vectorBarrier();
      From = N.slice(Op.getWork(), 0, At);
      Before = At;
      At += Rows * Short;
      Long = Short;
    }
    reduce(From, N.constant(Long), Long * 4 / N.Arch.blockBytes, R, Now);
  }

  /// Where maxima come with their places only.
  bool findsPlaces() const {
    return How != Combine::Sum && !N.Arch.hasOrderOnlyValue;
  }

  /// The places are left out after.
  void reduce(Value From, Value Mask, int64_t Pitch, Value R, Value Now) {
    Value Dst = N.slice(Op.getDst(), R, N.constant(0));
    if (!findsPlaces()) {
      RepReduceOp::create(N.builder(), Op.getLoc(), How, /*places=*/false, From,
                          Dst, Mask, Now, Pitch);
      return;
    }
    Value Pairs = N.slice(Op.getWork(), 0, Space);
    RepReduceOp::create(N.builder(), Op.getLoc(), How, /*places=*/true, From,
                        Pairs, Mask, Now, Pitch);
    N.vectorBarrier();
    RepEveryOtherOp::create(N.builder(), Op.getLoc(), /*odd=*/false, Pairs, Dst,
                            Now);
  }

  int64_t pitchInBlocks() const {
    return pitchOf(Src) * Src.getElementTypeBitWidth() / 8 / N.Arch.blockBytes;
  }
  int64_t blocksPerRepeat() const { return N.Arch.blocksPerRepeat(); }

  VecReduceOp Op;
  Nest &N;
  MemRefType Src;
  Type Element;
  Combine How;
  int64_t Lanes;
  /// Elements of the space that folding uses.
  int64_t Space;
  /// Of rows that are folded block by block; else empty.
  SmallVector<int64_t> Lengths;
};

struct ExpandReduce : ExpandMacro<VecReduceOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecReduceOp Op, Nest &N) const override {
    if (Op.getAxis() == Axis::All)
      return failure();
    Reduction(Op, N).build();
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

struct ExpandExtremes : ExpandMacro<VecExtremesOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecExtremesOp Op, Nest &N) const override {
    MemRefType Src = Op.getSrc().getType();
    if (Src.getDimSize(0) > 1 && Src.getDimSize(1) == 1)
      return failure();
    int64_t Pitch = pitchOf(Src) * 4 / Arch.blockBytes;
    int64_t Most = rowsAtOnce(Arch, Src.getElementType());
    auto Find = [&](Value R, Value Now) {
      if (Src.getDimSize(0) > Most)
        N.vectorBarrier();
      RepReduceOp::create(
          N.builder(), Op.getLoc(), Op.getCombine(),
          /*places=*/true, N.slice(Op.getSrc(), R, N.constant(0)),
          N.slice(Op.getDst(), N.constant(0), N.times(R, 2)), Op.getCols(), Now,
          Src.getDimSize(0) == 1 ? 8 : Pitch);
    };
    auto Nothing = [&] {
      Value Zero = arith::ConstantOp::create(N.builder(), N.loc(),
                                             N.builder().getF32FloatAttr(0));
      fillLine(N, Zero, Op.getDst(), N.times(Op.getRows(), 2));
    };
    N.ifNotEmpty(
        Op.getCols(),
        [&] { N.forChunks("r", Op.getRows(), Src.getDimSize(0), Most, Find); },
        Nothing);
    return success();
  }
};

struct ExpandPlaces : ExpandMacro<VecPlacesOp> {
  using ExpandMacro::ExpandMacro;
  LogicalResult expand(VecPlacesOp Op, Nest &N) const override {
    N.ifNotEmpty(Op.getRows(), [&] {
      RepEveryOtherOp::create(
          N.builder(), Op.getLoc(), /*odd=*/true,
          N.slice(Op.getSrc(), 0, 0, Op.getDst().getType().getElementType()),
          Op.getDst(), Op.getRows());
    });
    return success();
  }
};

/// All rows at once, where they are whole repeats: the extreme of each repeat
/// and its lane, then the first repeat of each row with the row's extreme. The
/// scalar unit puts the two together. Else row by row: the library leaves the
/// element and its place, and the scalar unit takes the place.
struct ExpandArgReduce : ExpandMacro<VecArgReduceOp> {
  using ExpandMacro::ExpandMacro;

  /// Where the element and its place are, before the space of the library.
  static constexpr int64_t Found = 64;

  LogicalResult expand(VecArgReduceOp Op, Nest &N) const override {
    MemRefType Src = Op.getSrc().getType();
    Type Element = Src.getElementType();
    if ((!Element.isF16() && !Element.isF32()) ||
        (Src.getDimSize(0) > 1 && Src.getDimSize(1) == 1))
      return failure();
    bool AllColumns = getConstantIntValue(Op.getCols()) == Src.getDimSize(1);
    int64_t Space = placedElements(Arch, Src, AllColumns);
    if (Space && Op.getWork().getType().getNumElements() >= Space) {
      N.ifNotEmpty(Op.getRows(), [&] { allRows(Op, N); });
      return success();
    }
    Type Place = N.builder().getIntegerType(Element.getIntOrFloatBitWidth());
    auto Each = [&](Value R) {
      LibReduceOp::create(N.builder(), Op.getLoc(), Op.getCombine(),
                          /*place=*/true,
                          N.slice(Op.getSrc(), R, N.constant(0)), Op.getWork(),
                          Op.getCols(), N.slice(Op.getWork(), 0, Found));
      N.flag(Pipe::V, Pipe::S);
      Value At = ReadScalarOp::create(N.builder(), N.loc(), Place,
                                      N.slice(Op.getWork(), 0, 0, Place),
                                      N.constant(1));
      if (Element.isF16())
        At = arith::ExtUIOp::create(N.builder(), N.loc(),
                                    N.builder().getI32Type(), At);
      WriteScalarOp::create(N.builder(), N.loc(), At, Op.getDst(), R);
    };
    auto Nothing = [&] {
      Value Zero = arith::ConstantOp::create(N.builder(), N.loc(),
                                             N.builder().getI32IntegerAttr(0));
      fillLine(N, Zero, Op.getDst(), Op.getRows());
    };
    N.ifNotEmpty(
        Op.getCols(),
        [&] {
          N.forEach("r", N.constant(0), Op.getRows(), 1, Each);
          N.flag(Pipe::S, Pipe::V);
        },
        Nothing);
    return success();
  }

private:
  void allRows(VecArgReduceOp Op, Nest &N) const {
    MemRefType Src = Op.getSrc().getType();
    int64_t Rows = Src.getDimSize(0), Lanes = Arch.repeatBytes / 4;
    int64_t Repeats = Src.getDimSize(1) / Lanes;
    // The space: pairs of each repeat, their values alone, pairs of each row.
    int64_t Values = 2 * Rows * Repeats, Found = 3 * Rows * Repeats;
    auto Part = [&](int64_t At, Value Index = {}) {
      Value First = N.constant(At);
      return N.slice(Op.getWork(), N.constant(0),
                     Index ? N.plus(First, Index) : First);
    };
    N.forChunks("r", Op.getRows(), Rows, Arch.maxRepeat / Repeats,
                [&](Value R, Value Now) {
                  if (Rows > Arch.maxRepeat / Repeats)
                    N.vectorBarrier();
                  RepReduceOp::create(
                      N.builder(), Op.getLoc(), Op.getCombine(),
                      /*places=*/true, N.slice(Op.getSrc(), R, N.constant(0)),
                      Part(0, N.times(R, 2 * Repeats)), N.constant(Lanes),
                      N.times(Now, Repeats), int64_t(Arch.blocksPerRepeat()));
                });
    N.vectorBarrier();
    RepEveryOtherOp::create(N.builder(), Op.getLoc(), /*odd=*/false, Part(0),
                            Part(Values), N.times(Op.getRows(), Repeats));
    N.vectorBarrier();
    RepReduceOp::create(N.builder(), Op.getLoc(), Op.getCombine(),
                        /*places=*/true, Part(Values), Part(Found),
                        N.constant(Repeats), Op.getRows(),
                        Repeats * 4 / Arch.blockBytes);
    N.flag(Pipe::V, Pipe::S);
    N.forEach("r", N.constant(0), Op.getRows(), 1,
              [&](Value R) { placeOfRow(Op, N, R, Repeats, Lanes, Found); });
    N.flag(Pipe::S, Pipe::V);
  }

  /// The repeat, and the lane in it.
  void placeOfRow(VecArgReduceOp Op, Nest &N, Value R, int64_t Repeats,
                  int64_t Lanes, int64_t Found) const {
    OpBuilder &B = N.builder();
    Type I32 = B.getI32Type();
    auto Read = [&](Value Index) -> Value {
      return ReadScalarOp::create(B, N.loc(), I32,
                                  N.slice(Op.getWork(), 0, 0, I32), Index);
    };
    Value Repeat = Read(N.plus(N.constant(Found + 1), N.times(R, 2)));
    // What was read is one of them; that is not proven, so it is kept there.
    Value Index =
        arith::IndexCastOp::create(B, N.loc(), B.getIndexType(), Repeat);
    Index = arith::MaxSIOp::create(B, N.loc(), Index, N.constant(0));
    Index = arith::MinSIOp::create(B, N.loc(), Index, N.constant(Repeats - 1));
    Value Lane = Read(
        N.plus(N.times(N.plus(N.times(R, Repeats), Index), 2), N.constant(1)));
    Value First = arith::MulIOp::create(
        B, N.loc(), Repeat,
        arith::ConstantOp::create(B, N.loc(), B.getI32IntegerAttr(Lanes)));
    WriteScalarOp::create(B, N.loc(),
                          arith::AddIOp::create(B, N.loc(), First, Lane),
                          Op.getDst(), R);
  }
};

} // namespace

int64_t passes::foldedElements(const targets::Arch &Arch, MemRefType Src,
                               bool AllColumns) {
  int64_t Lanes = Arch.repeatBytes * 8 / Src.getElementTypeBitWidth();
  if (Src.getDimSize(1) <= Lanes)
    return 0;
  int64_t Row = 0;
  if (AllColumns)
    for (int64_t Length : foldedLengths(Arch, Src))
      Row += Length;
  return std::min(Src.getDimSize(0), rowsAtOnce(Arch, Src.getElementType())) *
         (Row ? Row : Lanes);
}

int64_t passes::placedElements(const targets::Arch &Arch, MemRefType Src,
                               bool AllColumns) {
  int64_t Rows = Src.getDimSize(0), Lanes = Arch.repeatBytes / 4;
  int64_t Repeats = Src.getDimSize(1) / Lanes;
  bool Fits = AllColumns && Src.getElementType().isF32() && Rows > 1 &&
              Rows <= Arch.maxRepeat && pitchOf(Src) == Src.getDimSize(1) &&
              Src.getDimSize(1) % Lanes == 0 && Repeats <= Lanes &&
              Repeats * 4 % Arch.blockBytes == 0;
  return Fits ? 3 * Rows * Repeats + llvm::alignTo(2 * Rows, Lanes) : 0;
}

void passes::addReductionPatterns(RewritePatternSet &Patterns,
                                  const targets::Arch &Arch) {
  Patterns.add<ExpandReduce, ExpandExtremes, ExpandPlaces, ExpandArgReduce>(
      Patterns.getContext(), Arch);
}
