//===- Modes.cpp - Modes that stay on too long ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Atomics.h"
#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

/// Counter mode takes the mask for the number of elements in all. Whoever asks
/// for several repeats means a mask per repeat, unless both come to the same.
void Sanitizer::onCounterMode(const InstructionRecord &I, uint32_t Requested,
                              uint64_t Made) {
  constexpr uint64_t MostRepeats = 1 << 16; // more than any memory has room for
  if (Requested == Made || (Requested <= 1 && Made < MostRepeats))
    return;
  wording::Text T = wording::counterMode(I.Name, std::to_string(Requested),
                                         std::to_string(Made));
  Shared.Out.add("mask-left-on", {&C, I.PC, ""},
                 {&C, C.Regs.MaskCounterAt, "switched on"}, T.Message, T.Hint);
}

/// Atomic stores combine elements of the type that SetAtomicAdd was told,
/// whatever the type of the tensor. A view of the right data as integers does
/// no harm.
void Sanitizer::checkAtomicType(const InstructionRecord &I) {
  if (!I.Atomic || I.Kind != InstructionKind::Copy || I.On == Pipe::S)
    return;
  const OperandRecord &Dst = I.Operands[I.NumOperands - 1];
  const OperandRecord &Src = I.Operands[0];
  Elem Atomic = C.Regs.AtomicType;
  if (!Dst.Write || Dst.Where != Space::GM || addsAs(Dst.Type, Atomic) ||
      (!isFloat(Dst.Type) && Src.Where != Space::GM && holds(Src, Atomic)))
    return;
  wording::Text T =
      wording::atomicType(I.Name, nameOf(Dst.Type), nameOf(Atomic));
  Shared.Out.add("type-confusion", {&C, I.PC, ""},
                 {&C, C.Regs.AtomicAt, "made atomic"}, T.Message, T.Hint, Dst);
}

void Sanitizer::reportModes() {
  const Registers &R = C.Regs;
  if (R.MaskCounter) {
    wording::Text T = wording::counterModeAtEnd();
    Shared.Out.add("mask-left-on", {&C, R.MaskCounterAt, ""}, {}, T.Message,
                   T.Hint);
  }
  if (R.Atomic != AtomicOp::None) {
    wording::Text T = wording::atomicAtEnd();
    Shared.Out.add("atomic-left-on", {&C, R.AtomicAt, ""}, {}, T.Message,
                   T.Hint);
  }
}

} // namespace belay::sim
