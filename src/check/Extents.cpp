//===- Extents.cpp - Instructions whose operands are at most so large -----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of these, the last byte that can be touched follows from constants. If a
// tensor has that byte, its bounds are kept; if not, they are unknown, since
// masks may leave it out.
//
//===----------------------------------------------------------------------===//

#include "abi/Library.h"
#include "abi/Reduce.h"
#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;

static constexpr int64_t BlockBytes = 32, RepeatBlocks = 8;

/// One bit for each element of another operand. Again: each repeat uses the
/// bits of the first.
void Runtime::addBits(Event &E, const Value &Address, bool Write,
                      const Operand &Of, bool Again) {
  // Whole repeats give their bits together.
  int64_t Wide = sim::bytesOf(Of.Type), RepeatBytes = RepeatBlocks * BlockBytes;
  std::optional<Number> Repeats;
  if (Again)
    Repeats = Number(1);
  else if (Of.Size == Operand::Extent::Exact && Of.Span.isConstant())
    Repeats = Number((Of.Span.constant() + RepeatBytes - 1) / RepeatBytes);
  else if (Of.Size == Operand::Extent::Exact && I.facts().holds(Of.Span))
    Repeats = repeatsOf(Of.Span);
  std::optional<Number> Bytes =
      Repeats ? Number::multiply(*Repeats, RepeatBytes / Wide / 8)
              : std::nullopt;
  size_t Before = E.Operands.size();
  if (Bytes)
    addAtMost(E, Address, Write, Elem::U8, *Bytes);
  else
    addWhole(E, Address, Write, Elem::U8);
  if (E.Operands.size() > Before) {
    E.Operands.back().Bits = true;
    E.Operands.back().Scattered = Again;
  }
}

/// How many repeats so many bytes are. In the unit that the kernel counts in,
/// so that it is the quotient which the kernel has.
std::optional<Number> Runtime::repeatsOf(const Number &Bytes) {
  int64_t Unit = RepeatBlocks * BlockBytes;
  if (std::optional<Number> Exact = Bytes.dividedBy(Unit))
    return Exact;
  while (Unit > 1 && !Bytes.dividedBy(Unit))
    Unit /= 2;
  int64_t PerRepeat = RepeatBlocks * BlockBytes / Unit;
  return I.quotient(*Bytes.dividedBy(Unit) + Number(PerRepeat - 1), PerRepeat);
}

/// A routine of the library that computes element by element. Forms that have
/// more operands than these, or write over a source, are not followed.
bool Runtime::mathRoutine(const Value &Op, const Value &Call) {
  if (!Op.constant() || !Call.isPointer())
    return false;
  auto Routine = static_cast<sim::MathOp>(*Op.constant());
  PathId C = Call.Id;
  Value Count = I.member(C, "Count"), Sources = I.member(C, "Src");
  if (Routine == sim::MathOp::Axpy || Routine == sim::MathOp::Where ||
      I.member(C, "Dst2").What != Value::Kind::Null || !Count.isNumber() ||
      I.member(C, "OverwritesSource").constant() != 0 || !Sources.isPointer())
    return false;
  Event E = makeEvent(Pipe::V);
  auto Add = [&](const Value &Address, bool Write, Elem T) {
    std::optional<Number> Bytes = Number::multiply(Count.N, sim::bytesOf(T));
    if (Bytes)
      addBytes(E, Address, Write, T, *Bytes, *Bytes);
    return Bytes.has_value();
  };
  Elem From = elemOf(I.member(C, "SrcType")),
       To = elemOf(I.member(C, "DstType"));
  for (unsigned S = 0; S < 3; ++S) {
    PathId Each = I.store().element(Sources.Id, S);
    Value Data = I.member(Each, "Data");
    if (Data.What == Value::Kind::Null)
      continue; // has fewer
    if (!Data.isAddress() || I.member(Each, "Scalar").constant() != 0 ||
        !Add(Data, false, From))
      return false;
  }
  if (Value Tmp = I.member(C, "Tmp"); Tmp.isPointer())
    addWhole(E, I.member(Tmp.Id, "Data"), true, Elem::U8);
  if (!I.member(C, "Dst").isAddress() || E.Operands.empty() ||
      !Add(I.member(C, "Dst"), true, To))
    return false;
  const Operand Dst = E.Operands.back();
  for (const Operand &Src : drop_end(E.Operands))
    if (!disjoint(Src, Dst))
      Kernel.unknown(Topic::Values, E.At,
                     "whether " + E.Name +
                         " may write over its source is not "
                         "followed");
  E.ByElement = true;
  E.AlignmentUnknown = true;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
  return true;
}

/// Of lanes from the first, in rows without gaps: every byte that is read, and
/// each repeat's result beside the one before. False if it is not like that.
bool Runtime::reduceRows(Event &E, PathId R, Elem Src, Elem Dst) {
  auto Of = [&](StringRef Field) { return I.member(R, Field).constant(); };
  Value Repeat = I.member(R, "Repeat"), Walk = I.member(R, "W");
  auto Unit = static_cast<sim::ReduceUnit>(Of("Unit").value_or(0));
  auto Op = static_cast<sim::ReduceOp>(Of("Op").value_or(0));
  auto Gives = static_cast<sim::ReduceResult>(Of("Result").value_or(0));
  if (!Walk.isPointer() || !Repeat.isNumber() || Counter || !Of("Unit") ||
      !Of("Op") || !Of("Result") ||
      I.member(Walk.Id, "Mode").constant() !=
          static_cast<int64_t>(sim::MaskMode::Lanes) ||
      Of("SrcBlockStride") != 1 || Of("DstRepeatStride") != 1)
    return false;
  Value Masks = I.member(Walk.Id, "Mask");
  const Value *Lanes = Masks.isPointer()
                           ? I.store().find(I.store().element(Masks.Id, 0))
                           : nullptr;
  const int64_t RowBytes = RepeatBlocks * BlockBytes, Size = sim::bytesOf(Src);
  std::optional<Number> Row = numberIn(R, "SrcRepeatStride");
  std::optional<Number> One = Lanes && Lanes->isNumber()
                                  ? Number::multiply(Lanes->N, Size)
                                  : std::nullopt;
  // A mask of nothing writes nothing.
  if (!One || !Row || !I.facts().holds(*Row) ||
      !I.facts().holds(Lanes->N - Number(1)))
    return false;
  bool Full = One->constant() == RowBytes, Pairs = Op != sim::ReduceOp::Sum;
  int64_t Results = sim::bytesOf(Dst);
  if (Unit == sim::ReduceUnit::Block && Full)
    Results *= RepeatBlocks;
  else if (Unit != sim::ReduceUnit::Repeat ||
           (Pairs && Gives == sim::ReduceResult::Index))
    return false;
  else if (Pairs && Gives != sim::ReduceResult::Value)
    Results *= 2;
  bool Single = Repeat.constant() == 1;
  bool Tight = Full && *Row == Number(RepeatBlocks);
  if (!I.facts().holds(Repeat.N - Number(Tight ? 0 : 1)))
    return false;
  std::optional<Number> Apart = Number::multiply(*Row, BlockBytes),
                        Before = Apart ? Number::multiply(Repeat.N - Number(1),
                                                          *Apart)
                                       : std::nullopt,
                        Written = Number::multiply(Repeat.N, Results);
  if (!Before || !Written)
    return false;
  Number Span = *Before + *One;
  size_t Count = E.Operands.size();
  addBytes(E, I.member(R, "Src"), false, Src, Span,
           Tight || Single ? Span : *One);
  if (!Tight && !Single && E.Operands.size() > Count)
    E.Operands.back().Pitch = *Apart;
  addBytes(E, I.member(R, "Dst"), true, Dst, *Written, *Written);
  // A block of eight has a result of its own; of more rows, eight results are
  // one group.
  bool Blocks = Unit == sim::ReduceUnit::Block, ByBlock = Blocks && Tight;
  if (Apart->isConstant() && One->isConstant() &&
      E.Operands.size() == Count + 2) {
    E.Mixes = !Blocks || ByBlock;
    Operand &From = E.Operands[Count], &To = E.Operands[Count + 1];
    From.Group = ByBlock ? BlockBytes : One->constant();
    From.GroupStep = ByBlock ? BlockBytes : Apart->constant();
    To.Group = To.GroupStep = ByBlock ? Results / RepeatBlocks : Results;
  }
  // How many repeats there may be is for the launch to say.
  for (Operand &O : drop_begin(E.Operands, Count))
    if (!Repeat.constant())
      O.Size = Operand::Extent::AtMost;
  return true;
}

/// One result for each repeat, block or pair.
bool Runtime::reduceParts(Event &E, PathId R) {
  auto Of = [&](StringRef Field) { return I.member(R, Field).constant(); };
  Elem Src = elemOf(I.member(R, "SrcT")), Dst = elemOf(I.member(R, "DstT"));
  bool Followed = reduceRows(E, R, Src, Dst);
  if (Value Walk = I.member(R, "W"); Walk.isPointer())
    checkWalk(E, Walk.Id, std::max<unsigned>(1, sim::bytesOf(Src)),
              I.member(R, "Repeat"));
  if (Followed)
    return true;
  Value Repeat = I.member(R, "Repeat");
  std::optional<int64_t> Step = Of("DstRepeatStride"),
                         Block = Of("SrcBlockStride"),
                         Row = Of("SrcRepeatStride"), Unit = Of("Unit");
  if (!Repeat.isNumber() || !Step || !Block || !Row || !Unit || *Step < 0 ||
      *Block < 0 || *Row < 0 || !I.facts().holds(Repeat.N - Number(1)))
    return false;
  const Number More = Repeat.N - Number(1);
  int64_t One = 0;
  switch (static_cast<sim::ReduceUnit>(*Unit)) {
  case sim::ReduceUnit::Repeat:
    One = int64_t(2) * sim::bytesOf(Dst);
    break;
  case sim::ReduceUnit::Block:
    One = RepeatBlocks * sim::bytesOf(Dst);
    break;
  case sim::ReduceUnit::Pair:
    One = RepeatBlocks * BlockBytes / 2;
    break;
  }
  std::optional<Number> Before = Number::multiply(More, *Row * BlockBytes),
                        Results = Number::multiply(More, *Step * One);
  if (!Before || !Results)
    return false;
  addAtMost(E, I.member(R, "Src"), false, Src,
            *Before + Number(((RepeatBlocks - 1) * *Block + 1) * BlockBytes));
  addAtMost(E, I.member(R, "Dst"), true, Dst, *Results + Number(One));
  return true;
}

/// How many bytes of a source have values from its beginning on, but not all of
/// them: no more than Most, in the order in which they were written.
std::vector<Number> Runtime::partsBefore(ArrayRef<Operand> Operands,
                                         const Number &Most) {
  std::vector<Number> Result;
  if (Operands.empty() || !Regions[Operands.front().In].Sized)
    return Result;
  const Operand &O = Operands.front();
  Bounded<Written> &List = writtenTo(O.In);
  for (size_t N = List.size(); N--;) {
    const Written W = List[N];
    const Number Bytes = W.End - O.Begin;
    unsigned Budget = 16;
    if (W.State == Defined::Yes && I.facts().holds(Bytes) &&
        I.facts().holds(Most - Bytes) &&
        covered(O.In, O.Begin, W.End, List.size(), Budget))
      Result.insert(Result.begin(), Bytes);
  }
  return Result;
}

bool Runtime::sized(InstructionCall Which, Args A) {
  if (Which == InstructionCall::math)
    return mathRoutine(A[0], A[1]);
  Event E = makeEvent(Pipe::V);
  auto Done = [&] {
    E.AlignmentUnknown = true;
    checkOperands(E);
    flow(E);
    issue(std::move(E));
    return true;
  };
  auto If = [&](bool Followed) { return Followed && Done(); };
  switch (Which) {
  case InstructionCall::sort_records:
    return A[0].isPointer() && If(sortRecords(E, A[0].Id));
  case InstructionCall::extract_records:
    return If(extractRecords(E, A));
  case InstructionCall::merge_records:
    return A[0].isPointer() && If(mergeRecords(E, A[0].Id));
  case InstructionCall::gather_mask:
    return A[0].isPointer() && If(gatherMask(E, A[0].Id));
  case InstructionCall::progression:
    if (!A[4].isNumber())
      return false;
    addExactly(E, A[1], true, elemOf(A[0]),
               Number::multiply(A[4].N, sim::bytesOf(elemOf(A[0]))));
    return Done();
  default:
    break;
  }
  if (Which == InstructionCall::reduce_parts && A[0].isPointer()) {
    if (!reduceParts(E, A[0].Id))
      return false;
    checkTypes(E, Which, A, /*ByCount=*/false);
    return Done();
  }
  if (Which == InstructionCall::brcb && A[4].isPointer()) {
    std::optional<int64_t> Block = I.member(A[4].Id, "Block").constant(),
                           Row = I.member(A[4].Id, "Repeat").constant();
    if (!A[3].isNumber() || !Block || !Row || *Block < 0 || *Row < 0 ||
        !I.facts().holds(A[3].N))
      return false;
    Elem T = elemOf(A[0]);
    std::optional<Number> Src = Number::multiply(A[3].N, RepeatBlocks *
                                                             sim::bytesOf(T)),
                          Dst = Number::multiply(A[3].N - Number(1),
                                                 *Row * BlockBytes);
    if (!Src || !Dst)
      return false;
    addAtMost(E, A[2], false, T, *Src);
    addAtMost(E, A[1], true, T,
              *Dst + Number(((RepeatBlocks - 1) * *Block + 1) * BlockBytes));
    checkTypes(E, Which, A, /*ByCount=*/false);
    std::vector<Number> Written = partsBefore(E.Operands, *Src);
    const size_t Wide = sim::bytesOf(T);
    std::optional<Operand> To;
    if (*Block == 1 && *Row == RepeatBlocks && E.Operands.size() == 2)
      To = E.Operands.back();
    Done();
    // Each element gives a block: of those that have values.
    for (const Number &Bytes : Written)
      if (std::optional<Number> Elements =
              To ? Bytes.dividedBy(Wide) : std::nullopt)
        if (std::optional<Number> Blocks =
                Number::multiply(*Elements, BlockBytes))
          write(To->In, To->Begin, To->Begin + *Blocks, Defined::Yes);
    return true;
  }
  return false;
}
