//===- InstructionObligations.cpp - What instructions have to be ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are counted in bits: masks have an element in each. All of them are
// linear in the kernel's numbers as long as strides are constants, so that the
// solver decides bounds, alignment and overlap alike.
//
//===----------------------------------------------------------------------===//

#include "analysis/InstructionObligations.h"

#include "targets/Instructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using ascend::BufferOp;
using ascend::InstructionAccess;
using ascend::InstructionField;
using ascend::InstructionForm;
using ascend::SliceOp;

namespace {
/// An access, as bits of its buffer.
struct Area {
  const InstructionAccess *Access;
  BufferOp Buffer;
  /// From the beginning of the buffer, and one past the last bit.
  Linear Begin, End;
  /// Holds if there is something to touch at all.
  Conjunction NotEmpty;
};
} // namespace

static int64_t bitsOf(Value Operand) {
  return getElementTypeOrSelf(Operand.getType()).getIntOrFloatBitWidth();
}

static Linear times(const Linear &Expr, int64_t Factor) {
  return Expr * DynamicAPInt(Factor);
}

/// Where an operand begins in its buffer. No buffer if that is not known.
static std::pair<BufferOp, Linear> originOf(Value Operand, Terms &T) {
  Linear Begin;
  if (auto Slice = Operand.getDefiningOp<SliceOp>()) {
    MemRefType Source = Slice.getSource().getType();
    SmallVector<OpFoldResult> Offsets = Slice.getMixedOffsets();
    Begin = times(times(T.of(Offsets[0]), ascend::pitchOf(Source)) +
                      T.of(Offsets[1]),
                  Source.getElementTypeBitWidth());
    Operand = Slice.getSource();
  }
  return {Operand.getDefiningOp<BufferOp>(), Begin};
}

/// Each repeat, in units of some bits.
static Linear lengthOfRepeat(const InstructionAccess &Access, int64_t Unit,
                             Terms &T) {
  Linear Length = times(T.of(Access.Count), Access.Bits / Unit);
  if (Access.Before)
    Length += times(T.of(Access.Before), bitsOf(Access.Operand) / Unit);
  return Length;
}

static Linear bitsOfRepeat(const InstructionAccess &Access, Terms &T) {
  return lengthOfRepeat(Access, 1, T);
}

/// Bits from the first repeat to the last. A stride that is one of two
/// constants is looked at for each of them, so that no product is left.
static Linear lastRepeat(const InstructionAccess &Access, const Linear &Repeats,
                         Terms &T) {
  int64_t Unit = Access.StrideBytes * 8;
  if (Access.FromEnd) {
    // In bytes, as the kernel divides to find the stride. Whole units need no
    // division, and what they leave of a constant stays one with them.
    Linear Units = Access.Bits % Unit == 0 && !Access.Before
                       ? lengthOfRepeat(Access, Unit, T)
                       : T.quotient(lengthOfRepeat(Access, 8, T) +
                                        (Access.StrideBytes - 1),
                                    Access.StrideBytes);
    return T.solver().multiply(Repeats - 1,
                               times(Units + T.of(Access.Stride), Unit));
  }
  auto Stride = dyn_cast<Value>(Access.Stride);
  auto Select =
      Stride ? Stride.getDefiningOp<arith::SelectOp>() : arith::SelectOp();
  if (!Select || !getConstantIntValue(Select.getTrueValue()) ||
      !getConstantIntValue(Select.getFalseValue()))
    return T.solver().multiply(Repeats - 1, times(T.of(Access.Stride), Unit));
  Linear Last = T.solver().addVariable();
  Choice Either;
  for (bool Holds : {true, false}) {
    int64_t Known = *getConstantIntValue(Holds ? Select.getTrueValue()
                                               : Select.getFalseValue());
    Either.append(conjoin({equals(Last, times(Repeats - 1, Known * Unit))},
                          T.condition(Select.getCondition(), Holds)));
  }
  T.solver().assume(Either);
  return Last;
}

static Area areaOf(const InstructionAccess &Access, Terms &T) {
  auto [Buffer, Begin] = originOf(Access.Operand, T);
  Begin += times(T.of(Access.Start), bitsOf(Access.Operand));
  Linear Repeats = T.of(Access.Repeats), Count = T.of(Access.Count);
  return {&Access,
          Buffer,
          Begin,
          Begin + lastRepeat(Access, Repeats, T) + bitsOfRepeat(Access, T),
          {Repeats - 1, Count - 1}};
}

static Conjunction with(Conjunction Facts, ArrayRef<Linear> More) {
  Facts.append(More.begin(), More.end());
  return Facts;
}

static Obligation property(std::string Text, Choice Violations) {
  return {UnprovenInstruction,
          std::move(Text),
          std::move(Violations),
          {},
          /*IsCode=*/false};
}

/// What holds if an expression is no multiple: it lies between two.
static Conjunction between(const Linear &Expr, int64_t Multiple, Terms &T) {
  bool Always = Expr.constant() % Multiple == 0 &&
                llvm::all_of(Expr.terms(), [&](const Linear::Term &Term) {
                  return Term.Factor % Multiple == 0;
                });
  if (Always)
    return {Linear(-1)};
  Linear Below = times(T.solver().addVariable(), Multiple);
  return {less(Below, Expr), less(Expr, Below + Multiple)};
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static targets::CastMode modeOf(ascend::Round Round) {
  using targets::CastMode;
  switch (Round) {
  case ascend::Round::None:
    return CastMode::N;
  case ascend::Round::Rint:
    return CastMode::R;
  case ascend::Round::Floor:
    return CastMode::F;
  case ascend::Round::Ceil:
    return CastMode::C;
  case ascend::Round::Round:
    return CastMode::A;
  case ascend::Round::Trunc:
    return CastMode::T;
  }
  llvm_unreachable("all modes are listed");
}

bool analysis::exists(const InstructionForm &Form, const targets::Arch &Arch) {
  std::optional<targets::Element> Element =
      ascend::targetElementOf(Form.Element);
  if (Form.Rounding) {
    std::optional<targets::Element> From = ascend::targetElementOf(Form.From);
    return From && Element &&
           targets::hasCast(Arch, *From, *Element, modeOf(*Form.Rounding));
  }
  if (Form.Atomic && !ascend::hasAtomic(Arch, *Form.Atomic, Form.Element))
    return false;
  return Element && targets::hasForm(Arch, std::string_view(Form.Name),
                                     *Element, Form.ByCount);
}

//===----------------------------------------------------------------------===//
// Single accesses and fields
//===----------------------------------------------------------------------===//

static void addField(const InstructionField &Field, Terms &T, Obligations &To) {
  Linear Value = T.of(Field.Value);
  if (Field.Plus)
    Value += T.of(Field.Plus);
  To.push_back(
      property(("a " + Field.Name + " of " + Twine(Field.Least) + " to " +
                Twine(Field.Most))
                   .str(),
               {{less(Value, Field.Least)}, {less(Field.Most, Value)}}));
  if (Field.Multiple != 1)
    To.push_back(property(
        ("a " + Field.Name + " that is a multiple of " + Twine(Field.Multiple))
            .str(),
        {between(Value, Field.Multiple, T)}));
}

static const char *roleOf(const Area &R) {
  return R.Access->Writes ? "what is written" : "what is read";
}

static void addArea(const Area &R, Terms &T, Obligations &To) {
  int64_t Space = BufferOp(R.Buffer).getSlotBytes();
  To.push_back(property((Twine(roleOf(R)) + " to be inside of the " +
                         Twine(Space) + " bytes of its buffer")
                            .str(),
                        {with(R.NotEmpty, {less(R.Begin, 0)}),
                         with(R.NotEmpty, {less(Space * 8, R.End)})}));
  auto Slice = R.Access->Operand.getDefiningOp<SliceOp>();
  if (R.Access->StaysInRow && Slice) {
    MemRefType Source = Slice.getSource().getType();
    int64_t Bits = Source.getElementTypeBitWidth();
    Linear End = times(T.of(Slice.getMixedOffsets()[1]), Bits) +
                 bitsOfRepeat(*R.Access, T);
    To.push_back(property(
        "each row to end where a row of its buffer ends",
        {with(R.NotEmpty, {less(ascend::pitchOf(Source) * Bits, End)})}));
  }
  // Buffers themselves begin with a block, slots with a repeat.
  To.push_back(property((Twine(roleOf(R)) + " to begin at a multiple of " +
                         Twine(R.Access->Alignment) + " bytes")
                            .str(),
                        {between(R.Begin, R.Access->Alignment * 8, T)}));
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

/// Elements from one place of a dimension to the next. Arguments are dense.
static std::optional<Linear> strideOf(Value View, unsigned Dim, Terms &T) {
  auto Type = cast<MemRefType>(View.getType());
  SmallVector<int64_t> Strides;
  int64_t Offset;
  if (succeeded(Type.getStridesAndOffset(Strides, Offset)) &&
      !ShapedType::isDynamic(Strides[Dim]))
    return Linear(Strides[Dim]);
  if (auto Cast = View.getDefiningOp<memref::CastOp>())
    return strideOf(Cast.getSource(), Dim, T);
  if (auto Transposed = View.getDefiningOp<memref::TransposeOp>())
    return strideOf(Transposed.getIn(),
                    Transposed.getPermutation().getDimPosition(Dim), T);
  if (auto Part = View.getDefiningOp<memref::SubViewOp>()) {
    llvm::SmallBitVector Dropped = Part.getDroppedDims();
    unsigned From = 0;
    for (unsigned Left = Dim; Dropped.test(From) || Left--;)
      ++From;
    std::optional<Linear> Stride = strideOf(Part.getSource(), From, T);
    if (Stride)
      Stride = T.solver().multiply(T.of(Part.getMixedStrides()[From]), *Stride);
    return Stride;
  }
  if (!isa<BlockArgument>(View))
    return std::nullopt;
  Linear Stride(1);
  for (unsigned I = Type.getRank(); --I > Dim;)
    Stride = T.solver().multiply(Stride, T.extent(View, I));
  return Stride;
}

static void addEqual(const Linear &A, const Linear &B, const Conjunction &Where,
                     Choice &To) {
  if (A == B)
    return;
  To.push_back(with(Where, {less(A, B)}));
  To.push_back(with(Where, {less(B, A)}));
}

/// The ways in which fields can move something else than a window: they move
/// rows of it, or all of it as one row, or an element in each row.
static Choice otherThan(const ascend::InstructionWindow &Window,
                        ArrayRef<Linear> Sizes, Terms &T) {
  unsigned Rank = Sizes.size(), Last = Rank - 1;
  int64_t Element = bitsOf(Window.View) / 8;
  Linear Rows = T.of(Window.Rows),
         Bytes = times(T.of(Window.Length), Window.LengthBytes), One(1);
  const Linear &Cols = Sizes[Last], &Lines = Rank > 1 ? Sizes[Last - 1] : One;
  Choice Other;
  for (const Linear &Outer : Sizes.drop_back(std::min(Rank, 2u)))
    addEqual(Outer, One, {}, Other);
  // Of which dimension the rows are, and of which the elements of a row.
  unsigned Across = Last ? Last - 1 : 0, Along = Last;
  if (Rows == One && !(Lines == One) &&
      Bytes == times(T.solver().multiply(Lines, Cols), Element)) {
    // A column whose elements lie side by side.
    Along = Last - 1;
    Other.push_back({Cols - 2, Lines - 1});
  } else if (Bytes == Linear(Element) && Rows == Cols && Lines == One) {
    Across = Last;
  } else {
    addEqual(Rows, Lines, {}, Other);
    addEqual(Bytes, times(Cols, Element), {}, Other);
  }
  std::optional<Linear> Next = strideOf(Window.View, Along, T),
                        Down = strideOf(Window.View, Across, T);
  if (!Next || !Down)
    return {Conjunction()};
  addEqual(*Next, One, {Bytes - Element - 1}, Other);
  Linear Pitch = Window.Pitch
                     ? times(T.of(Window.Pitch), Element)
                     : times(T.of(Window.Gap), Window.GapBytes) + Bytes;
  addEqual(Pitch, times(*Down, Element), {Rows - 2}, Other);
  return Other;
}

static void addWindow(const ascend::InstructionWindow &Window, Terms &T,
                      Obligations &To) {
  SmallVector<Linear, 4> Sizes;
  Conjunction NotEmpty;
  for (OpFoldResult Size : Window.Sizes) {
    Sizes.push_back(T.of(Size));
    NotEmpty.push_back(Sizes.back() - 1);
  }
  Choice Outside;
  for (auto [Dim, Offset] : llvm::enumerate(Window.Offsets)) {
    Linear Begin = T.of(Offset);
    Outside.push_back(with(NotEmpty, {less(Begin, 0)}));
    Outside.push_back(
        with(NotEmpty, {less(T.extent(Window.View, Dim), Begin + Sizes[Dim])}));
  }
  To.push_back(property("a window inside of its view", std::move(Outside)));
  To.back().Id = GuardedWindow;
  if (Window.Rows)
    To.push_back(property("the rows, bytes and gaps of its window",
                          otherThan(Window, Sizes, T)));
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// Bytes of the memory that all slots of a buffer take.
static std::optional<std::pair<int64_t, int64_t>> placeOf(BufferOp Buffer) {
  if (!Buffer.getOffset())
    return std::nullopt;
  int64_t Begin = *Buffer.getOffset();
  return std::pair(Begin, Begin + static_cast<int64_t>(Buffer.getSlots()) *
                                      Buffer.getSlotBytes());
}

bool analysis::areApart(BufferOp A, BufferOp B) {
  if (ascend::getSpace(A.getBuffer().getType()) !=
      ascend::getSpace(B.getBuffer().getType()))
    return true;
  auto PlaceA = placeOf(A), PlaceB = placeOf(B);
  if (!PlaceA || !PlaceB)
    return A != B;
  return PlaceA->second <= PlaceB->first || PlaceB->second <= PlaceA->first;
}

/// Where a buffer begins in its memory.
static Linear baseOf(BufferOp Buffer, Terms &T) {
  Linear Base(static_cast<int64_t>(Buffer.getOffset().value_or(0)) * 8);
  if (Value Slot = Buffer.getSlot())
    Base += times(T.of(Slot), Buffer.getSlotBytes() * 8);
  return Base;
}

/// The same address, strides and elements: then each repeat reads what it
/// writes before it does.
static bool isSamePlace(const Area &A, const Linear &BeginA, const Area &B,
                        const Linear &BeginB) {
  const InstructionAccess &X = *A.Access, &Y = *B.Access;
  return BeginA == BeginB && X.Stride == Y.Stride &&
         X.StrideBytes == Y.StrideBytes && X.Repeats == Y.Repeats &&
         X.Count == Y.Count && X.Bits == Y.Bits;
}

/// Bits from repeat to repeat, if that is a constant.
static std::optional<int64_t> periodOf(const InstructionAccess &Access) {
  std::optional<int64_t> Stride = getConstantIntValue(Access.Stride);
  if (!Stride || *Stride <= 0 || Access.FromEnd)
    return std::nullopt;
  return *Stride * Access.StrideBytes * 8;
}

/// What lets a repeat of the one area touch one of the other. Where both have
/// the same period, what is between their beginnings, as a part of it, is too
/// short for a repeat of the first, or the rest of it for one of the second.
static Choice meetInPeriod(const Area &A, const Linear &BeginA, const Area &B,
                           const Linear &BeginB, Terms &T) {
  std::optional<int64_t> Period = periodOf(*A.Access);
  Linear Between = BeginB - BeginA;
  if (!Period || Period != periodOf(*B.Access) || !Between.isConstant())
    return {Conjunction()};
  Linear Gap(mod(Between.constant(), DynamicAPInt(*Period)));
  auto SpanOf = [&](const Area &Of) {
    return times(T.of(Of.Access->Count), Of.Access->Bits);
  };
  return {{less(Gap, SpanOf(A))}, {less(Linear(*Period), Gap + SpanOf(B))}};
}

static void addOverlap(const InstructionForm &Form, const Area &Written,
                       const Area &Other, Terms &T, Obligations &To) {
  if (areApart(Written.Buffer, Other.Buffer))
    return;
  Linear BaseW = baseOf(Written.Buffer, T), BaseO = baseOf(Other.Buffer, T);
  Linear BeginW = BaseW + Written.Begin, BeginO = BaseO + Other.Begin;
  if (Form.InPlace && isSamePlace(Written, BeginW, Other, BeginO))
    return;
  Conjunction Extents = with(
      with(Written.NotEmpty, Other.NotEmpty),
      {less(BeginW, BaseO + Other.End), less(BeginO, BaseW + Written.End)});
  Choice Overlaps;
  for (const Conjunction &Repeat :
       meetInPeriod(Written, BeginW, Other, BeginO, T))
    Overlaps.push_back(with(Extents, Repeat));
  To.push_back(property(
      Form.InPlace ? "a result in the place of an operand or apart from it"
                   : "a result apart from operands",
      std::move(Overlaps)));
}

Obligations analysis::obligationsOf(const InstructionForm &Form, Terms &T) {
  Obligations Result;
  for (const InstructionField &Field : Form.Fields)
    addField(Field, T, Result);
  if (Form.Window)
    addWindow(*Form.Window, T, Result);
  SmallVector<Area, 4> Areas;
  for (const InstructionAccess &Access : Form.Accesses) {
    Areas.push_back(areaOf(Access, T));
    if (Areas.back().Buffer)
      continue;
    Result.push_back(property("operands to be buffers", {Conjunction()}));
    return Result;
  }
  for (const Area &R : Areas)
    addArea(R, T, Result);
  for (auto [I, A] : llvm::enumerate(Areas))
    for (const Area &B : llvm::drop_begin(Areas, I + 1))
      if (A.Access->Writes || B.Access->Writes)
        addOverlap(Form, A.Access->Writes ? A : B, A.Access->Writes ? B : A, T,
                   Result);
  return Result;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Of 0 <= slot < slots follows the same for `number - slot`, if it is the last
/// slot.
bool analysis::hasValidSlot(BufferOp Buffer) {
  Value Slot = Buffer.getSlot();
  if (!Slot)
    return true;
  int64_t Slots = Buffer.getSlots();
  auto IsSlot = [&](Value Number) {
    std::optional<int64_t> Known = getConstantIntValue(Number);
    return Known && *Known >= 0 && *Known < Slots;
  };
  if (IsSlot(Slot))
    return true;
  auto Arg = dyn_cast<BlockArgument>(Slot);
  auto Loop =
      Arg ? dyn_cast<scf::ForOp>(Arg.getOwner()->getParentOp()) : scf::ForOp();
  if (!Loop || Arg == Loop.getInductionVar())
    return false;
  unsigned Number = Arg.getArgNumber() - Loop.getNumInductionVars();
  auto Next = Loop.getYieldedValues()[Number].getDefiningOp<arith::SubIOp>();
  return IsSlot(Loop.getInitArgs()[Number]) && Next && Next.getRhs() == Slot &&
         getConstantIntValue(Next.getLhs()) == Slots - 1;
}
