//===- Elements.h - Element types of the language ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of element types for MLIR: integers are signed in kernels, and the
// types that the language does not have are no types here.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ELEMENTS_H
#define BELAY_DIALECT_ELEMENTS_H

#include "mlir/IR/Types.h"
#include "targets/Elements.h"

namespace belay::ascend {

/// The element that a type is; an index is an i64. None for what is no element
/// of the language.
element_types::id languageElementOf(mlir::Type Type);
/// The type of an element; null for those that the language does not have.
mlir::Type typeOfElement(mlir::MLIRContext *Context, element_types::id Element);

/// As belay/kernel.h names it: "half", "i8"; "" for the others.
llvm::StringRef languageNameOf(element_types::id Element);
element_types::id elementNamed(llvm::StringRef Name);

} // namespace belay::ascend

#endif // BELAY_DIALECT_ELEMENTS_H
