//===- Pto.h - The dialect that ptoas reads ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PTO_PTO_H
#define BELAY_EMIT_PTO_PTO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace belay::pto {
/// Where an instruction's attributes stand.
enum class AttrPlace : uint8_t { AtEnd, InIns, InInsAsOperand };

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

/// \name How instructions are written.
/// @{
mlir::ParseResult parseInsOuts(mlir::OpAsmParser &Parser,
                               mlir::OperationState &Result, bool Segments);
void printInsOuts(mlir::OpAsmPrinter &Printer, mlir::Operation *Op,
                  AttrPlace Place);
/// @}

/// The memory that a tile is in, or a window; nothing for a number.
std::optional<Space> spaceOf(mlir::Type Type);
/// The pipe of an instruction that several pipes have: of copies between
/// memories, and of what fills them.
Pipe pipeByMemories(mlir::Operation &Op);

/// \name What the operations' traits ask.
/// @{
bool haveOneElementType(mlir::Operation &Op);
bool areRowMajor(mlir::Operation &Op);
bool haveSameValid(mlir::Operation &Op);
bool isProduct(mlir::Operation &Op);
/// @}

} // namespace belay::pto

#include "emit/pto/PtoInterfaces.h.inc"
#define GET_OP_CLASSES
#include "emit/pto/PtoOps.h.inc"

#endif // BELAY_EMIT_PTO_PTO_H
