//===- AscendC.h - From instructions to AscendC C++ -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_ASCENDC_H
#define BELAY_EMIT_ASCENDC_H

#include "mlir/IR/BuiltinOps.h"
#include "targets/Target.h"

namespace belay::emit {

struct Options {
  /// Say which line of the source each statement comes from, by #line.
  bool Lines = true;
  /// Only the kernel of this name, if there is one.
  std::string Only = {};
};

/// Writes the kernels of a module as one file of AscendC C++. They are at the
/// level of instructions, planned and ordered. docs/launch.md says how to start
/// what comes out.
mlir::LogicalResult emitAscendC(mlir::ModuleOp Module, const targets::Soc &Soc,
                                llvm::raw_ostream &Out,
                                const Options &Options = {});

} // namespace belay::emit

#endif // BELAY_EMIT_ASCENDC_H
