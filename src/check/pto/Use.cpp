//===- Use.cpp - An instruction of which only memory matters --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/pto/Use.h"

#include "check/pto/UseDialect.cpp.inc"
#define GET_OP_CLASSES
#include "check/pto/Use.cpp.inc"

using namespace mlir;
using namespace belay::order;

void OrderDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "check/pto/Use.cpp.inc"
      >();
}

void UseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &Effects) {
  for (OpOperand &Operand : getReadsMutable())
    Effects.emplace_back(MemoryEffects::Read::get(), &Operand);
  for (OpOperand &Operand : getWritesMutable())
    Effects.emplace_back(MemoryEffects::Write::get(), &Operand);
}
