//===- WrittenSums.h - Are sums in L0C written before read? -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_WRITTENSUMS_H
#define BELAY_ANALYSIS_WRITTENSUMS_H

#include "analysis/Obligations.h"
#include "dialect/Ascend.h"

namespace belay::analysis {

/// Whether an instruction reads sums only after a product has written them: a
/// product that adds to them, or a copy that takes them away. Holds of whatever
/// has no operand in L0C.
bool readsWrittenSums(mlir::Operation *Op);

/// That what it reads is not more than what each product has written, whose
/// numbers readsWrittenSums() has found to be the same all the time.
Obligations writtenSumsObligations(mlir::Operation *Op, Terms &T);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_WRITTENSUMS_H
