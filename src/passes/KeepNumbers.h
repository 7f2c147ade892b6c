//===- KeepNumbers.h - Numbers that stay in tiles ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_KEEPNUMBERS_H
#define BELAY_PASSES_KEEPNUMBERS_H

#include "mlir/Pass/Pass.h"

namespace belay::passes {

#define GEN_PASS_DECL
#include "passes/KeepNumbers.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/KeepNumbers.h.inc"

} // namespace belay::passes

#endif // BELAY_PASSES_KEEPNUMBERS_H
