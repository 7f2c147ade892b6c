//===- Fractals.cpp - Which bytes matrices take ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of abi/Cube.h. Their operands are pieces, so many of them a
// stride apart, and so many of those again.
//
//===----------------------------------------------------------------------===//

#include "abi/Cube.h"
#include "check/Runtime.h"
#include "targets/Interlocks.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;

static constexpr int64_t BlockBytes = 32, FractalRows = 16, FractalBytes = 512;

namespace {

/// Bytes of a matrix. Nothing, once one of its numbers is not followed.
class Pieces {
public:
  explicit Pieces(const std::optional<Number> &Bytes)
      : Span(Bytes), Certain(Bytes.value_or(Number())) {}

  /// So many of these, Stride bytes apart.
  Pieces &repeat(const std::optional<Number> &Count,
                 const std::optional<Number> &Stride) {
    if (!Span || !Count || !Stride) {
      Span.reset();
      return *this;
    }
    if (Count->constant() == 1 && Count->isConstant())
      return *this;
    std::optional<Number> More = Number::multiply(*Count - Number(1), *Stride);
    if (!More) {
      Span.reset();
      return *this;
    }
    bool Tight = !Gaps && *Stride == *Span;
    Span = *Span + *More;
    if (Tight)
      Certain = *Span;
    else // of rows of rows, only the first is told
      Pitch = Gaps ? std::nullopt : Stride;
    Gaps = !Tight;
    return *this;
  }

  std::optional<Number> Span, Pitch;
  Number Certain;
  bool Gaps = false;
};

} // namespace

std::optional<Number> Runtime::numberIn(PathId Of, StringRef Field) {
  Value V = I.member(Of, Field);
  return V.isNumber() ? std::optional(V.N) : std::nullopt;
}

static std::optional<Number> times(const std::optional<Number> &A,
                                   const std::optional<Number> &B) {
  return A && B ? Number::multiply(*A, *B) : std::nullopt;
}

/// Rounded up.
std::optional<Number> Runtime::inUnitsOf(const std::optional<Number> &N,
                                         int64_t Unit) {
  if (!N)
    return std::nullopt;
  Number More = *N + Number(Unit - 1);
  if (More.isConstant())
    return Number(More.constant() / Unit);
  if (std::optional<Number> Exact = N->dividedBy(Unit))
    return Exact;
  return I.quotient(More, Unit);
}

void Runtime::addPieces(Event &E, const Value &Address, bool Write, Elem T,
                        const std::optional<Number> &Span,
                        const Number &Certain,
                        const std::optional<Number> &Pitch) {
  if (!Span)
    return addWhole(E, Address, Write, T);
  size_t Before = E.Operands.size();
  addBytes(E, Address, Write, T, *Span, Certain);
  if (E.Operands.size() > Before)
    E.Operands.back().Pitch = Pitch;
}

void Runtime::finishMatrix(Event E) {
  // Matrices are often whole fractals, which only the host knows.
  for (Operand &O : E.Operands)
    if (O.Size == Operand::Extent::Exact &&
        I.symbols().any(
            O.Span, [](const Symbol &S) { return !(S.Divisor == Number()); }))
      O.Size = Operand::Extent::AtMost;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}

/// LoadData, by single fractals.
void Runtime::loadFractals(PathId L, sim::PipeRule On) {
  Event E = makeEvent(Pipe::MTE1);
  Value Src = I.member(L, "Src"), Dst = I.member(L, "Dst");
  if (!Src.isAddress() || !Dst.isAddress())
    return operandLost(E);
  E.On = sim::pipeBy(On, Regions[Src.Id].Where, Regions[Dst.Id].Where);
  Elem T = elemOf(I.member(L, "Type"));
  std::optional<Number> Repeat = numberIn(L, "Repeat"),
                        Far = times(numberIn(L, "SrcStride"), FractalBytes),
                        Near = times(numberIn(L, "DstStride"), FractalBytes);
  // Backwards, it begins elsewhere.
  if (Far && !I.facts().holds(*Far))
    Far.reset();
  Pieces From = Pieces(Number(FractalBytes)).repeat(Repeat, Far),
         To = Pieces(Number(FractalBytes)).repeat(Repeat, Near);
  std::optional<Number> Start = times(numberIn(L, "Start"), FractalBytes);
  if (Start && Start->isConstant() && !Start->constant()) {
    addPieces(E, Src, false, T, From.Span, From.Certain, From.Pitch);
  } else if (Start && From.Span) {
    addAtMost(E, Src, false, T, *Start + *From.Span);
  } else {
    addWhole(E, Src, false, T);
  }
  addPieces(E, Dst, true, T, To.Span, To.Certain, To.Pitch);
  // One fractal after the other.
  if (Far && Far->isConstant() && Near == Number(FractalBytes) &&
      E.Operands.size() == 2) {
    E.Operands[0].GroupStep = Far->constant();
    E.Operands[1].GroupStep = FractalBytes;
    for (Operand &O : E.Operands)
      O.Group = O.Size == Operand::Extent::Exact ? FractalBytes : 0;
  }
  finishMatrix(std::move(E));
}

/// From rows in memory into columns of fractals.
void Runtime::rowsToFractals(PathId N, sim::PipeRule On) {
  Event E = makeEvent(Pipe::MTE2);
  Value Src = I.member(N, "Src"), Dst = I.member(N, "Dst");
  if (!Src.isAddress() || !Dst.isAddress())
    return operandLost(E);
  E.On = sim::pipeBy(On, Regions[Src.Id].Where, Regions[Dst.Id].Where);
  Elem T = elemOf(I.member(N, "Type"));
  int64_t Wide = sim::bytesOf(T);
  bool Plain = I.member(N, "ColumnMajor").constant() == 0 &&
               I.member(N, "SmallC0").constant() == 0;
  std::optional<Number> Matrices = numberIn(N, "Matrices"),
                        Rows = numberIn(N, "Rows"),
                        RowBytes = times(numberIn(N, "Columns"), Wide);
  Pieces From =
      Pieces(RowBytes)
          .repeat(Rows, times(numberIn(N, "SrcRowStride"), Wide))
          .repeat(Matrices, times(numberIn(N, "SrcMatrixStride"), Wide));
  std::optional<Number> Blocks = inUnitsOf(RowBytes, BlockBytes),
                        Column =
                            times(numberIn(N, "DstColumnStride"), BlockBytes);
  Pieces To =
      Pieces(Number(BlockBytes))
          .repeat(Rows, times(numberIn(N, "DstRowStride"), BlockBytes))
          .repeat(Blocks, Column)
          .repeat(Matrices, times(numberIn(N, "DstMatrixStride"), Wide));
  if (!Plain)
    From.Span = To.Span = std::nullopt;
  addPieces(E, Src, false, T, From.Span, From.Certain, From.Pitch);
  addPieces(E, Dst, true, T, To.Span, To.Certain, To.Pitch);
  finishMatrix(std::move(E));
}

void Runtime::mmad(PathId M) {
  Event E = makeEvent(Pipe::M);
  std::optional<Number> Rows = numberIn(M, "M"), Columns = numberIn(M, "N"),
                        Inner = numberIn(M, "K");
  Elem T = elemOf(I.member(M, "AType")), CType = elemOf(I.member(M, "CType"));
  int64_t Wide = sim::bytesOf(T);
  bool Followed = Wide >= 1 && T != Elem::S4 && I.member(M, "AType").constant();
  std::optional<Number> Down = inUnitsOf(Rows, FractalRows),
                        Across = inUnitsOf(Columns, FractalRows), Deep, DeepInA;
  if (Followed) {
    DeepInA = Deep = inUnitsOf(Inner, BlockBytes / Wide);
    if (T == Elem::F32 && I.member(M, "AlignK").constant() != 0)
      DeepInA = times(inUnitsOf(Inner, FractalRows), Number(2));
  }
  std::optional<Number> Left = times(times(Down, DeepInA), FractalBytes),
                        Right = times(times(Across, Deep), FractalBytes),
                        Cell = times(Down, Across),
                        Sums = times(Cell, FractalRows * FractalRows *
                                               sim::bytesOf(CType));
  // One row of elements, without fractals.
  bool Gemv = !I.member(M, "DisableGemv").constant().value_or(0) &&
              !(Rows && I.facts().holds(*Rows - Number(2)));
  if (Gemv)
    Left = Rows && Rows->isConstant() && Rows->constant() == 1
               ? times(Inner, Wide)
               : std::nullopt;
  auto Add = [&](StringRef Which, bool Write, Elem Of,
                 const std::optional<Number> &Bytes) {
    addPieces(E, I.member(M, Which), Write, Of, Bytes, Bytes.value_or(Number()),
              std::nullopt);
  };
  Add("A", false, T, Left);
  E.Mixes = !E.Operands.empty() && !Gemv &&
            lacksFractals(E.Operands.back(), Down, DeepInA);
  Add("B", false, T, Right);
  E.Mixes = E.Mixes || (!E.Operands.empty() &&
                        lacksFractals(E.Operands.back(), Across, Deep));
  Add("Bias", false, CType, times(Columns, 4));
  if (!I.member(M, "ZeroC").constant().value_or(1) &&
      !I.member(M, "CFromBias").constant().value_or(0))
    Add("C", false, CType, Sums);
  Add("C", true, CType, Sums);
  E.UnitFlag = I.member(M, "UnitFlag").constant().value_or(0) != 0;
  E.Interlocked =
      Cell && I.facts().holds(*Cell - Number(targets::InterlockedFractals));
  finishMatrix(std::move(E));
}

void Runtime::fixpipe(PathId F) {
  Event E = makeEvent(Pipe::FIX);
  Elem From = elemOf(I.member(F, "SrcType")),
       To = elemOf(I.member(F, "DstType"));
  constexpr int64_t RowBytes = FractalRows * 4;
  const int64_t Wide = sim::bytesOf(To);
  std::optional<int64_t> Layout = I.member(F, "Layout").constant();
  std::optional<Number> Rows = numberIn(F, "M"), Columns = numberIn(F, "N"),
                        Matrices = numberIn(F, "Matrices"),
                        Stride = numberIn(F, "DstStride"),
                        Matrix = numberIn(F, "DstMatrixStride");
  bool Plain = I.member(F, "FromRegisters").constant() == 0 &&
               I.member(F, "DualTarget").constant() == 0 &&
               I.member(F, "SrcRowStride").constant() == 1 && Layout;
  Pieces Source = Pieces(times(Rows, RowBytes))
                      .repeat(inUnitsOf(Columns, FractalRows),
                              times(numberIn(F, "SrcStride"), RowBytes))
                      .repeat(Matrices, numberIn(F, "SrcMatrixStride"));
  Pieces Target(std::nullopt);
  switch (static_cast<sim::OutLayout>(Layout.value_or(0))) {
  case sim::OutLayout::ND:
    Target = Pieces(times(Columns, Wide)).repeat(Rows, Stride);
    break;
  case sim::OutLayout::DN:
    Target = Pieces(times(Rows, Wide)).repeat(Columns, Stride);
    break;
  case sim::OutLayout::NZ:
    if (I.member(F, "ChannelSplit").constant() == 0 && Wide > 1)
      Target = Pieces(times(Rows, FractalRows * Wide))
                   .repeat(inUnitsOf(Columns, FractalRows), Stride);
    break;
  }
  Target.repeat(Matrices, Matrix);
  if (!Plain)
    Source.Span = Target.Span = std::nullopt;
  addPieces(E, I.member(F, "Src"), false, From, Source.Span, Source.Certain,
            Source.Pitch);
  addPieces(E, I.member(F, "QuantTensor"), false, Elem::U64, times(Columns, 8),
            times(Columns, 8).value_or(Number()), std::nullopt);
  addPieces(E, I.member(F, "Dst"), true, To, Target.Span, Target.Certain,
            Target.Pitch);
  E.UnitFlag = I.member(F, "UnitFlag").constant().value_or(0) != 0;
  finishMatrix(std::move(E));
}

/// LoadData, by rows and columns of fractals.
void Runtime::loadMatrix(PathId L, sim::PipeRule On) {
  Event E = makeEvent(Pipe::MTE1);
  Value Src = I.member(L, "Src"), Dst = I.member(L, "Dst");
  if (!Src.isAddress() || !Dst.isAddress())
    return operandLost(E);
  E.On = sim::pipeBy(On, Regions[Src.Id].Where, Regions[Dst.Id].Where);
  Elem T = elemOf(I.member(L, "Type"));
  std::optional<Number> Rows = numberIn(L, "Rows"),
                        Columns = numberIn(L, "Columns"),
                        Far = times(numberIn(L, "SrcStride"), FractalBytes),
                        Near = times(numberIn(L, "DstStride"), FractalBytes);
  if (Far && !I.facts().holds(*Far))
    Far.reset();
  std::optional<Number> Before = times(numberIn(L, "ColumnStart"), Far);
  if (std::optional<Number> Row = times(numberIn(L, "RowStart"), FractalBytes);
      Before && Row)
    Before = *Before + *Row;
  else
    Before.reset();
  Pieces From = Pieces(times(Rows, FractalBytes)).repeat(Columns, Far),
         To = Pieces(times(Rows, FractalBytes)).repeat(Columns, Near);
  if (I.member(L, "Transpose").constant() != 0)
    To.Span.reset();
  if (Before && Before->isConstant() && !Before->constant())
    addPieces(E, Src, false, T, From.Span, From.Certain, From.Pitch);
  else if (Before && From.Span)
    addAtMost(E, Src, false, T, *Before + *From.Span);
  else
    addWhole(E, Src, false, T);
  addPieces(E, Dst, true, T, To.Span, To.Certain, To.Pitch);
  finishMatrix(std::move(E));
}
