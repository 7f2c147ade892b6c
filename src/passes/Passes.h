//===- Passes.h - From tiles to instructions --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_PASSES_H
#define BELAY_PASSES_PASSES_H

#include "dialect/Ascend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace belay::passes {

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

/// Adds the passes that put tiles into memories of the module's target and
/// order what is done with them.
void addPlanningPipeline(mlir::OpPassManager &Manager);
/// Adds those that turn the result into single instructions, with the
/// independent checks of what all passes made at the end.
void addInstructionPipeline(mlir::OpPassManager &Manager);
/// Adds both.
void addCorePipeline(mlir::OpPassManager &Manager);

/// The above as --ascend-to-core=soc=...
void registerCorePipeline();

} // namespace belay::passes

#endif // BELAY_PASSES_PASSES_H
