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
// element. Nothing else may write to them in between. A loop may lie between,
// whose iterations gather a row each.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_GATHEREDELEMENTS_H
#define BELAY_ANALYSIS_GATHEREDELEMENTS_H

#include "analysis/Obligations.h"
#include "dialect/Ascend.h"
#include "targets/Target.h"

namespace belay::analysis {

/// What the instructions before a gather have made its offsets.
struct GatheredElements {
  /// Elements of the source, from the first one on, among which are all that it
  /// reads.
  int64_t Number;
  /// So many offsets are that, from the first one of their buffer on.
  mlir::Value Count;
};

/// Nothing if the instructions before it do not say.
std::optional<GatheredElements> gatheredElements(ascend::VecGatherOp Gather,
                                                 const targets::Arch &Arch);

/// Writes that into the form of an instruction, if it is a gather. False where
/// it is not known.
bool boundGathered(mlir::Operation *Op, const targets::Arch &Arch,
                   ascend::InstructionForm &Form);

/// That the offsets that a gather reads are among those.
Obligations gatheredObligations(mlir::Operation *Op, const targets::Arch &Arch,
                                Terms &T);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_GATHEREDELEMENTS_H
