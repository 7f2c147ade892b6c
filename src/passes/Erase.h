//===- Erase.h - Erasing what has been lowered ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_ERASE_H
#define BELAY_PASSES_ERASE_H

#include "mlir/IR/Operation.h"

namespace belay::passes {

/// Erases operations, in the order of the code, which may still use each other
/// and the values that their loops carried; nothing else uses them.
inline void eraseTogether(llvm::ArrayRef<mlir::Operation *> Dead) {
  for (mlir::Operation *Op : Dead)
    Op->dropAllReferences();
  for (mlir::Operation *Op : llvm::reverse(Dead))
    Op->erase();
}

} // namespace belay::passes

#endif // BELAY_PASSES_ERASE_H
