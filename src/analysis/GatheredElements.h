//===- GatheredElements.h - How far a gather reaches ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offsets of a gather come from data, and nothing is known of data. So the
// instructions right before it make them what they have to be: the larger of
// each and 0, the smaller of that and a constant, times the bytes of an
// element. Nothing else may write to them in between.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_GATHEREDELEMENTS_H
#define BELAY_ANALYSIS_GATHEREDELEMENTS_H

#include "dialect/Ascend.h"
#include "targets/Target.h"

namespace belay::analysis {

/// Elements of its source, from the first one on, among which are all that a
/// gather reads; nothing if the instructions before it do not say.
std::optional<int64_t> gatheredElements(ascend::VecGatherOp Gather,
                                        const targets::Arch &Arch);

/// Writes that into the form of an instruction, if it is a gather. False where
/// it is not known.
bool boundGathered(mlir::Operation *Op, const targets::Arch &Arch,
                   ascend::InstructionForm &Form);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_GATHEREDELEMENTS_H
