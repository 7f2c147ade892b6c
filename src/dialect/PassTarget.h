//===- PassTarget.h - The part that a pass is for ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_PASSTARGET_H
#define BELAY_DIALECT_PASSTARGET_H

#include "mlir/IR/Operation.h"
#include "targets/Target.h"

namespace belay::ascend {

/// The SoC of a pass's option, or null and an error at the kernel.
inline const targets::Soc *socFor(mlir::Operation *Kernel,
                                  llvm::StringRef Name) {
  const targets::Soc *Soc = targets::findSoc(Name);
  if (!Soc)
    Kernel->emitError() << "there is no SoC '" << Name << "'";
  return Soc;
}

} // namespace belay::ascend

#endif // BELAY_DIALECT_PASSTARGET_H
