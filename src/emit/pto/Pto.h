//===- Pto.h - The dialect that ptoas reads ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PTO_PTO_H
#define BELAY_EMIT_PTO_PTO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace belay::pto {
/// What tfillpad writes where nothing is in use; numbers as in the text.
enum class Pad : uint8_t { Null, Zero, Max, Min };
} // namespace belay::pto

#include "emit/pto/PtoDialect.h.inc"
#include "emit/pto/PtoEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "emit/pto/PtoAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "emit/pto/PtoTypes.h.inc"

namespace belay::pto {

/// \name What the operations' traits ask.
/// @{
bool haveOneElementType(mlir::Operation &Op);
bool areRowMajor(mlir::Operation &Op);
bool haveSameValid(mlir::Operation &Op);
/// @}

} // namespace belay::pto

#define GET_OP_CLASSES
#include "emit/pto/PtoOps.h.inc"

#endif // BELAY_EMIT_PTO_PTO_H
