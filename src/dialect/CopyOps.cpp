//===- CopyOps.cpp - Single copies and accesses to global memory ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"
#include "dialect/Windows.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace belay::ascend;

/// Constraint (C1).
static LogicalResult verifyPlaces(Operation *Op, MemRefType View,
                                  ArrayRef<int64_t> Numbers, StringRef What) {
  if (static_cast<int64_t>(Numbers.size()) == View.getRank())
    return success();
  return Op->emitOpError() << "has " << Numbers.size() << " " << What
                           << " for a view of rank " << View.getRank()
                           << " (C1)";
}

/// Constraint (C2).
static LogicalResult verifyElement(Operation *Op, MemRefType View, Type Other) {
  if (getElementTypeOrSelf(Other) == View.getElementType())
    return success();
  return Op->emitOpError() << "moves " << View.getElementType() << " as "
                           << getElementTypeOrSelf(Other) << " (C2)";
}

/// Constraints (C1) and (C2).
template <typename CopyOp>
static LogicalResult verifyCopy(CopyOp Copy, Type Buffer) {
  MemRefType View = Copy.getView().getType();
  return success(
      succeeded(verifyPlaces(Copy, View, Copy.getStaticOffsets(), "offsets")) &&
      succeeded(verifyPlaces(Copy, View, Copy.getStaticSizes(), "sizes")) &&
      succeeded(verifyElement(Copy, View, Buffer)));
}

LogicalResult CopyPadInOp::verify() {
  if (bool(getPad()) != bool(getPadCount()) || (getLeft() && !getPad()) ||
      (getPad() && getPad().getType() != getView().getType().getElementType()))
    return emitOpError() << "needs a value of the element type and a count to "
                            "pad (C3)";
  return verifyCopy(*this, getDst().getType());
}

LogicalResult CopyPadOutOp::verify() {
  return success(succeeded(verifyAtomic(*this, getCombine())) &&
                 succeeded(verifyCopy(*this, getSrc().getType())));
}

LogicalResult CopyBlocksInOp::verify() {
  return verifyCopy(*this, getDst().getType());
}

LogicalResult CopyBlocksOutOp::verify() {
  return success(succeeded(verifyAtomic(*this, getCombine())) &&
                 succeeded(verifyCopy(*this, getSrc().getType())));
}

LogicalResult CopyRowsInOp::verify() {
  return verifyCopy(*this, getDst().getType());
}

LogicalResult CopyRowsOutOp::verify() {
  return success(succeeded(verifyAtomic(*this, getCombine())) &&
                 succeeded(verifyCopy(*this, getSrc().getType())));
}

LogicalResult GlobalReadOp::verify() {
  MemRefType View = getView().getType();
  return success(
      succeeded(verifyPlaces(*this, View, getStaticOffsets(), "offsets")) &&
      succeeded(verifyElement(*this, View, getValue().getType())));
}

LogicalResult GlobalWriteOp::verify() {
  MemRefType View = getView().getType();
  return success(
      succeeded(verifyPlaces(*this, View, getStaticOffsets(), "offsets")) &&
      succeeded(verifyElement(*this, View, getValue().getType())));
}

LogicalResult CacheCleanOp::verify() {
  return verifyCopy(*this, getView().getType());
}
