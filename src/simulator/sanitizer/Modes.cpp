//===- Modes.cpp - Modes that stay on too long -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Core.h"
#include "core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

/// Counter mode takes the mask for the number of elements in all. Whoever asks
/// for several repeats means a mask per repeat, unless both come to the same.
void Sanitizer::onCounterMode(const InstructionRecord &I, uint32_t Asked,
                              uint64_t Made) {
  constexpr uint64_t MostRepeats = 1 << 16; // more than any memory has room for
  if (Asked == Made || (Asked <= 1 && Made < MostRepeats))
    return;
  Shared.Out.add(
      "mask-left-on", {&C, I.PC, ""}, {&C, C.Regs.MaskCounterAt, "switched on"},
      std::string(I.Name) + " asks for " + std::to_string(Asked) +
          " repeats, but counter mode is on: its mask is taken for the number "
          "of elements in all, and " +
          std::to_string(Made) + " are made",
      "call SetMaskNorm() when the work in counter mode is done");
}

void Sanitizer::reportModes() {
  const Registers &R = C.Regs;
  if (R.MaskCounter)
    Shared.Out.add("mask-left-on", {&C, R.MaskCounterAt, ""}, {},
                   "counter mode is still on when the kernel ends",
                   "call SetMaskNorm() when the work in counter mode is done");
  if (R.Atomic != AtomicOp::None)
    Shared.Out.add("atomic-left-on", {&C, R.AtomicAt, ""}, {},
                   "stores are still atomic when the kernel ends: those of the "
                   "next kernel on this core would be added to what is there",
                   "call SetAtomicNone() after the stores that are meant");
}

} // namespace belay::sim
