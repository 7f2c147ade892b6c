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

#include "abi/Reduce.h"
#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;

static constexpr int64_t BlockBytes = 32, RepeatBlocks = 8;

/// One bit for each element of another operand.
void Runtime::addBits(Event &E, const Value &Address, bool Write,
                      const Operand &Of) {
  if (!Of.Span.isConstant() || Of.Size != Operand::Extent::Exact)
    return addWhole(E, Address, Write, Elem::U8);
  int64_t Elements = Of.Span.constant() / sim::bytesOf(Of.Type);
  // Whole repeats give their bits together.
  int64_t Repeat = RepeatBlocks * BlockBytes / sim::bytesOf(Of.Type);
  addAtMost(E, Address, Write, Elem::U8,
            (Elements + Repeat - 1) / Repeat * Repeat / 8);
}

bool Runtime::sized(InstructionCall Which, Args A) {
  Event E = makeEvent(Pipe::V);
  auto Done = [&] {
    E.AlignmentUnknown = true;
    checkOperands(E);
    flow(E);
    issue(std::move(E));
    return true;
  };
  if (Which == InstructionCall::sort_records && A[0].isPointer()) {
    PathId S = A[0].Id;
    std::optional<int64_t> Repeat = I.member(S, "Repeat").constant();
    Elem T = elemOf(I.member(S, "T"));
    // Of 32 values and their indices, records of 8 bytes.
    if (!Repeat || *Repeat < 0 || I.member(S, "Full").constant().value_or(1))
      return false;
    addAtMost(E, I.member(S, "Src"), false, T, *Repeat * 32 * sim::bytesOf(T));
    addAtMost(E, I.member(S, "Index"), false, Elem::U32, *Repeat * 32 * 4);
    addAtMost(E, I.member(S, "Dst"), true, T, *Repeat * 32 * 8);
    return Done();
  }
  if (Which == InstructionCall::reduce_parts && A[0].isPointer()) {
    PathId R = A[0].Id;
    auto Of = [&](StringRef Field) { return I.member(R, Field).constant(); };
    std::optional<int64_t> Repeat = Of("Repeat"), Step = Of("DstRepeatStride"),
                           Block = Of("SrcBlockStride"),
                           Row = Of("SrcRepeatStride"), Unit = Of("Unit");
    if (!Repeat || !Step || !Block || !Row || !Unit || *Repeat < 1 ||
        *Step < 0 || *Block < 0 || *Row < 0)
      return false;
    Elem Src = elemOf(I.member(R, "SrcT")), Dst = elemOf(I.member(R, "DstT"));
    int64_t One = 0;
    switch (static_cast<sim::ReduceUnit>(*Unit)) {
    case sim::ReduceUnit::Repeat:
      One = 2 * sim::bytesOf(Dst);
      break;
    case sim::ReduceUnit::Block:
      One = RepeatBlocks * sim::bytesOf(Dst);
      break;
    case sim::ReduceUnit::Pair:
      One = RepeatBlocks * BlockBytes / 2;
      break;
    }
    addAtMost(E, I.member(R, "Src"), false, Src,
              ((*Repeat - 1) * *Row + (RepeatBlocks - 1) * *Block + 1) *
                  BlockBytes);
    addAtMost(E, I.member(R, "Dst"), true, Dst,
              ((*Repeat - 1) * *Step + 1) * One);
    return Done();
  }
  if (Which == InstructionCall::brcb && A[4].isPointer()) {
    std::optional<int64_t> Repeat = A[3].constant(),
                           Block = I.member(A[4].Id, "Block").constant(),
                           Row = I.member(A[4].Id, "Repeat").constant();
    if (!Repeat || !Block || !Row || *Repeat < 1 || *Block < 0 || *Row < 0)
      return false;
    Elem T = elemOf(A[0]);
    addAtMost(E, A[2], false, T, *Repeat * RepeatBlocks * sim::bytesOf(T));
    addAtMost(E, A[1], true, T,
              ((*Repeat - 1) * *Row + (RepeatBlocks - 1) * *Block + 1) *
                  BlockBytes);
    return Done();
  }
  return false;
}
