//===- Use.h - An instruction of which only memory matters ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CHECK_PTO_USE_H
#define BELAY_CHECK_PTO_USE_H

#include "dialect/Ascend.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "check/pto/UseDialect.h.inc"
#define GET_OP_CLASSES
#include "check/pto/Use.h.inc"

#endif // BELAY_CHECK_PTO_USE_H
