//===- InstructionObligations.h - What instructions have to be --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_INSTRUCTIONOBLIGATIONS_H
#define BELAY_ANALYSIS_INSTRUCTIONOBLIGATIONS_H

#include "analysis/Obligations.h"
#include "dialect/Ascend.h"
#include "targets/Target.h"

namespace belay::analysis {

/// The id of all others: what is not proven here is an error of Belay.
constexpr llvm::StringLiteral UnprovenInstruction = "unproven-instruction";

/// What guards may have checked: that windows lie inside their views.
constexpr llvm::StringLiteral GuardedWindow = "gm-out-of-bounds";

/// Whether an architecture has the instruction for its type of elements.
bool exists(const ascend::InstructionForm &Form, const targets::Arch &Arch);

/// That the hardware can execute a single instruction: fields fit, addresses
/// are aligned, what is touched lies inside its buffers, and results overlap
/// operands only where they may. Call it in a scope of its own.
Obligations obligationsOf(const ascend::InstructionForm &Form, Terms &T);

/// Whether two buffers share no memory, whatever their slots are: they are in
/// different ones, or apart. Without a plan, different buffers are.
bool areApart(ascend::BufferOp A, ascend::BufferOp B);

/// Whether a slot of a buffer that has several is always one of them: a counter
/// that a loop carries.
bool hasValidSlot(ascend::BufferOp Buffer);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_INSTRUCTIONOBLIGATIONS_H
