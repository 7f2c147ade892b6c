//===- Passes.h - What is proven of kernels ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_PASSES_H
#define BELAY_ANALYSIS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace belay::analysis {

#define GEN_PASS_DECL
#include "analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "analysis/Passes.h.inc"

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_PASSES_H
