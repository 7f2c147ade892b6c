//===- Indexed.cpp - Gather and Scatter -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Elem;
using sim::Pipe;

/// How many elements a call in the form with a count moves.
std::optional<Number> Runtime::countOf(PathId Walk) {
  Value Masks = I.member(Walk, "Mask");
  if (!Masks.isPointer() || I.member(Walk, "Mode").constant() !=
                                static_cast<int64_t>(sim::MaskMode::Count))
    return std::nullopt;
  const Value *Count = I.store().find(I.store().element(Masks.Id, 0));
  return Count && Count->isNumber() ? std::optional(Count->N) : std::nullopt;
}

/// One side is walked lane by lane. Which bytes of the other one are used are
/// data: some of its tensor.
void Runtime::indexedMove(PathId M) {
  Event E = makeEvent(Pipe::V);
  Value Walk = I.member(M, "W");
  std::optional<int64_t> Scatter = I.member(M, "Scatter").constant();
  Elem T = elemOf(I.member(M, "T"));
  if (!Walk.isPointer() || !Scatter)
    return operandLost(E);
  unsigned Wide = sim::bytesOf(T);
  auto AddFar = [&](bool Write) {
    size_t Before = E.Operands.size();
    addWhole(E, I.member(M, "Far"), Write, T);
    if (E.Operands.size() > Before)
      E.Operands.back().Scattered = true;
  };
  std::optional<Number> Count = countOf(Walk.Id),
                        Bytes =
                            Count ? Number::multiply(*Count, 4) : std::nullopt;
  if (Bytes)
    addBytes(E, I.member(M, "Offsets"), false, Elem::U32, *Bytes, *Bytes);
  else
    addWhole(E, I.member(M, "Offsets"), false, Elem::U32);
  if (!*Scatter)
    AddFar(false);
  addByWalk(E, I.member(M, "Near"), !*Scatter, T, Walk.Id, 0, Wide);
  if (*Scatter)
    AddFar(true);
  // What is gathered comes from anywhere, where one offset says.
  E.Mixes = !*Scatter && all_of(E.Operands, [](const Operand &O) {
    return O.Scattered ||
           (O.Size == Operand::Extent::Exact && O.Span == O.Certain);
  });
  for (Operand &O : E.Operands)
    if (E.Mixes && !O.Scattered)
      O.Group = O.GroupStep = O.Write ? Wide : sim::bytesOf(O.Type);
  checkWalk(E, Walk.Id, Wide, I.member(Walk.Id, "Repeat"));
  Kernel.unknown(Topic::Alignment, E.At,
                 "the offsets of " + E.Name + " are data");
  Kernel.unknown(Topic::Bounds, E.At, "the offsets of " + E.Name + " are data");
  E.AlignmentUnknown = true;
  checkOperands(E);
  flow(E);
  issue(std::move(E));
}
