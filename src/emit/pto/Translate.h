//===- Translate.h - From planned kernels to PTO ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are read after memory is planned and flags are placed, and before
// operations on tiles become single instructions: PTO's operations are on
// tiles, too. docs/pto.md says what becomes what, decision 18 why here.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PTO_TRANSLATE_H
#define BELAY_EMIT_PTO_TRANSLATE_H

#include "targets/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace belay::pto {

/// Who decides on addresses, flags and barriers.
enum class Sync { Ours, Ptoas };

/// A module of the pto dialect with all kernels of another. What PTO does not
/// have is an error at the operation, with the id not-in-pto.
mlir::OwningOpRef<mlir::ModuleOp>
translateToPto(mlir::ModuleOp Planned, const targets::Soc &Soc, Sync Who);

} // namespace belay::pto

#endif // BELAY_EMIT_PTO_TRANSLATE_H
