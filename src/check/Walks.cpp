//===- Walks.cpp - Operands by masks, repeats and strides -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "check/Runtime.h"
#include <bit>

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;
namespace wording = sim::wording;

static constexpr int64_t BlockBytes = 32, RepeatBytes = 256;

static int64_t sizeOf(Elem T) { return sim::bytesOf(T); }

/// How many lanes of a repeat take part, at most; nothing if it is not known.
static std::optional<Number> lanesOf(const Number &Low, const Number &High) {
  if (!Low.isConstant() || !High.isConstant())
    return std::nullopt;
  auto L = static_cast<uint64_t>(Low.constant()),
       H = static_cast<uint64_t>(High.constant());
  return Number(H ? 128 - std::countl_zero(H) : 64 - std::countl_zero(L));
}

void Runtime::addByWalk(Event &E, const Value &Address, bool Write, Elem T,
                        PathId Walk, unsigned Index, unsigned Widest) {
  Value Mode = I.member(Walk, "Mode");
  Value Masks = I.member(Walk, "Mask");
  auto MaskAt = [&](unsigned N) -> std::optional<Number> {
    if (!Masks.isPointer())
      return std::nullopt;
    const Value *V = I.store().find(I.store().element(Masks.Id, N));
    return V && V->isNumber() ? std::optional(V->N) : std::nullopt;
  };
  auto How = static_cast<sim::MaskMode>(Mode.constant().value_or(0));
  std::optional<Number> Elements, Lanes;
  Value Repeat = I.member(Walk, "Repeat");
  if (How == sim::MaskMode::Count)
    Elements = MaskAt(0);
  else if (Counter)
    Elements = How == sim::MaskMode::Register ? MaskLow : MaskAt(0);
  else if (How == sim::MaskMode::Lanes)
    Lanes = MaskAt(0);
  else if (How == sim::MaskMode::Register) {
    if (MaskLow && MaskHigh)
      Lanes = lanesOf(*MaskLow, *MaskHigh);
  } else if (MaskAt(0) && MaskAt(1))
    Lanes = lanesOf(*MaskAt(0), *MaskAt(1));
  Value Operands = I.member(Walk, "Operand");
  std::optional<int64_t> Block, Step;
  Value Stride;
  if (Operands.isPointer()) {
    PathId Strides = I.store().element(Operands.Id, Index);
    Block = I.member(Strides, "Block").constant();
    Stride = I.member(Strides, "Repeat");
    Step = Stride.constant();
  }
  if (Elements) {
    // A counter counts elements, which strides take apart all the same.
    bool SideBySide =
        How == sim::MaskMode::Count ||
        (Block == 1 && Step && *Step * 32 * Widest == 256 * int64_t(sizeOf(T)));
    std::optional<Number> Bytes = Number::multiply(*Elements, sizeOf(T));
    if (SideBySide && Bytes)
      return addBytes(E, Address, Write, T, *Bytes, *Bytes);
    return addWhole(E, Address, Write, T);
  }
  if (!Lanes || !Repeat.isNumber() || !Operands.isPointer())
    return addWhole(E, Address, Write, T);
  if (!Block || !Stride.isNumber() || !I.facts().holds(Stride.N))
    return addWhole(E, Address, Write, T);
  if (Lanes->isConstant() && Lanes->constant() > RepeatBytes / Widest)
    Lanes = Number(RepeatBytes / Widest);
  // One repeat: whole blocks a stride apart, and what the last one holds.
  std::optional<Number> One = Number::multiply(*Lanes, sizeOf(T));
  if (!One)
    return addWhole(E, Address, Write, T);
  bool Gaps = *Block != 1;
  if (Gaps && !One->isConstant())
    return addWhole(E, Address, Write, T);
  if (Gaps && One->isConstant()) {
    int64_t Blocks = (One->constant() + BlockBytes - 1) / BlockBytes;
    int64_t Last = One->constant() - (Blocks - 1) * BlockBytes;
    One = Number((Blocks - 1) * *Block * BlockBytes + Last);
  }
  std::optional<Number> Apart = Number::multiply(Stride.N, BlockBytes);
  std::optional<Number> More =
      Apart ? Number::multiply(Repeat.N - Number(1), *Apart) : std::nullopt;
  if (!More)
    return addWhole(E, Address, Write, T);
  Number Span = *More + *One;
  bool Tight = !Gaps && *One == *Apart;
  Number Certain = Gaps ? Number(std::min<int64_t>(BlockBytes, 32))
                   : Tight || Repeat.constant() == 1 ? Span
                                                     : *One;
  addBytes(E, Address, Write, T, Span, Certain);
}

/// Masks and repeats that the instruction does not have.
void Runtime::checkWalk(const Event &E, PathId Walk, unsigned Widest,
                        const Value &Repeat) {
  auto How =
      static_cast<sim::MaskMode>(I.member(Walk, "Mode").constant().value_or(0));
  if (How == sim::MaskMode::Count) {
    Counter = false;
    MaskLow = MaskHigh = Number(-1);
    return;
  }
  uint32_t Most = Kernel.Target.arch->maxRepeat;
  Symbols &Names = I.symbols();
  if (Repeat.isNumber() && !I.facts().holds(Number(Most) - Repeat.N)) {
    if (I.facts().holds(Repeat.N - Number(Most + 1))) {
      Kernel.find("bad-repeat", {E.At, ""}, {},
                  wording::badRepeat(E.Name, Names.str(Repeat.N), Most));
    } else if (std::optional<std::string> When =
                   sizedByKernel(Repeat.N)
                       ? I.facts().counterexample(Number(Most) - Repeat.N)
                       : std::nullopt) {
      wording::Text T = wording::badRepeat(E.Name, Names.str(Repeat.N), Most);
      T.Message += "; as for " + *When;
      Kernel.find("bad-repeat", {E.At, ""}, {}, T);
    } else {
      Kernel.requireNotNegative(Topic::Parameters, E.At,
                                "whether " + Names.str(Repeat.N) +
                                    " is at most " + Twine(Most) +
                                    " is decided by the launch",
                                Number(Most) - Repeat.N);
    }
  }
  Value Masks = I.member(Walk, "Mask");
  const Value *First = Masks.isPointer()
                           ? I.store().find(I.store().element(Masks.Id, 0))
                           : nullptr;
  int64_t PerRepeat = RepeatBytes / Widest;
  if (How == sim::MaskMode::Lanes && First && First->isNumber()) {
    if (Counter) {
      if (std::optional<int64_t> Requested = Repeat.constant(),
          Count = First->constant();
          Requested && Count) {
        int64_t Made = (*Count + PerRepeat - 1) / PerRepeat;
        if (*Requested > 1 && *Requested != Made)
          Kernel.find("mask-left-on", {E.At, ""}, {CounterAt, "switched on"},
                      wording::counterMode(E.Name, std::to_string(*Requested),
                                           std::to_string(Made)));
      }
      MaskLow = First->N;
    } else {
      if (I.facts().holds(First->N - Number(PerRepeat + 1)))
        Kernel.find("bad-mask", {E.At, ""}, {},
                    wording::badMask(E.Name, Names.str(First->N), PerRepeat));
      else if (!I.facts().holds(Number(PerRepeat) - First->N))
        Kernel.requireNotNegative(Topic::Parameters, E.At,
                                  "whether a mask of " + Names.str(First->N) +
                                      " lanes is at most " + Twine(PerRepeat) +
                                      " is decided by the launch",
                                  Number(PerRepeat) - First->N);
      if (std::optional<int64_t> C = First->constant(); C && *C >= 0) {
        MaskLow = Number(*C >= 64 ? -1 : (int64_t(1) << *C) - 1);
        MaskHigh = Number(*C >= 128 ? -1
                          : *C > 64 ? (int64_t(1) << (*C - 64)) - 1
                                    : 0);
      } else {
        MaskLow = MaskHigh = std::nullopt;
      }
    }
  } else if (How == sim::MaskMode::Bits && Masks.isPointer()) {
    const Value *Second = I.store().find(I.store().element(Masks.Id, 1));
    MaskLow =
        First && First->isNumber() ? std::optional(First->N) : std::nullopt;
    MaskHigh =
        Second && Second->isNumber() ? std::optional(Second->N) : std::nullopt;
  }
}

/// What the count form compares beyond whole repeats would be left out.
void Runtime::checkCompared(const Event &E, PathId Walk, unsigned Wide) {
  Value Masks = I.member(Walk, "Mask");
  auto How =
      static_cast<sim::MaskMode>(I.member(Walk, "Mode").constant().value_or(0));
  const Value *Count = Masks.isPointer()
                           ? I.store().find(I.store().element(Masks.Id, 0))
                           : nullptr;
  if (How != sim::MaskMode::Count || !Count || !Count->isNumber())
    return;
  std::optional<Number> Bytes = Number::multiply(Count->N, Wide);
  if (Bytes && Bytes->remainder(RepeatBytes) == 0)
    return;
  std::string What = E.Name + " of " + I.symbols().str(Count->N) + " elements";
  if (Count->constant())
    Kernel.find("bad-repeat", {E.At, ""}, {},
                {What + ": the count form takes multiples of 256 bytes",
                 "round the count up to a multiple of 256 bytes, and give the "
                 "buffers that size"});
  else if (Bytes)
    Kernel.require(Topic::Parameters, E.At,
                   "whether " + What +
                       " is a multiple of 256 bytes is decided by the launch",
                   {{Clause::Atom::Kind::Multiple, *Bytes, RepeatBytes}});
  else
    Kernel.unknown(Topic::Parameters, E.At,
                   "how much " + E.Name + " compares is not followed");
}

void Runtime::checkField(const Event &E, const Number &N, int64_t Most,
                         const wording::Text &Else) {
  Number Room = Number(Most) - N;
  if (I.facts().holds(Room))
    return;
  if (N.isConstant())
    Kernel.find("bad-repeat", {E.At, ""}, {}, Else);
  else
    Kernel.requireNotNegative(Topic::Parameters, E.At,
                              "whether " + I.symbols().str(N) + " is at most " +
                                  Twine(Most) + " is decided by the launch",
                              Room);
}

/// The instructions whose operands all follow one walk, or are bits of those.
bool Runtime::byWalk(InstructionCall Which, Args A) {
  using Extent = AbiOperand::Extent;
  ArrayRef<AbiOperand> Rows = operandsOf(Which);
  if (Rows.empty())
    return false;
  // Where bits are meant, there are forms with other things than tensors.
  bool Bits = any_of(
      Rows, [](const AbiOperand &Row) { return Row.Size == Extent::Bits; });
  Event E = makeEvent(Pipe::V);
  const Value &W = A[Rows.front().Walk];
  if (!W.isPointer())
    return Bits ? false : (operandLost(E), true);
  unsigned Widest = 0;
  for (const AbiOperand &Row : Rows)
    Widest = std::max<unsigned>(Widest, sizeOf(elemOf(A[Row.Type])));
  auto Add = [&](const AbiOperand &Row, bool Write) {
    addByWalk(E, A[Row.Parameter], Write, elemOf(A[Row.Type]), W.Id,
              static_cast<unsigned>(Row.Size), Widest);
  };
  // MulAddDst, FusedMulAdd and Axpy read what they add to.
  StringRef Name = E.Name;
  bool Accumulates =
      Name == "Axpy" ||
      (Which == InstructionCall::binary &&
       (Name.contains("AddDst") || Name.contains("FusedMulAdd")));
  for (const AbiOperand &Row : Rows) {
    if (Row.Size == Extent::Bits) {
      if (E.Operands.empty()) // constants alone
        return false;
      Operand Of = E.Operands.front();
      addBits(E, A[Row.Parameter], Row.writes(), Of,
              Which == InstructionCall::select &&
                  A[0].constant() ==
                      static_cast<int64_t>(sim::SelectMode::CmpMask));
      continue;
    }
    if (Bits && !Row.writes() && !A[Row.Parameter].isAddress())
      continue;
    if (Accumulates && Row.writes())
      Add(Row, /*Write=*/false);
    Add(Row, Row.writes());
  }
  E.ByElement = !Bits;
  E.AlignmentUnknown = Bits;
  checkWalk(E, W.Id, Widest, I.member(W.Id, "Repeat"));
  checkTypes(E, Which, A,
             I.member(W.Id, "Mode").constant() ==
                 static_cast<int64_t>(sim::MaskMode::Count));
  if (Which == InstructionCall::compare)
    checkCompared(E, W.Id, Widest);
  checkOperands(E);
  flow(E);
  issue(std::move(E));
  return true;
}
