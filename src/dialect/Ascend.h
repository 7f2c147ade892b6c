//===- Ascend.h - The ascend dialect ----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ASCEND_H
#define BELAY_DIALECT_ASCEND_H

#include "dialect/InstructionForm.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "dialect/AscendDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/AscendAttributes.h.inc"

namespace belay::ascend {

/// A tensor of rank 2 that has a capacity: its own extents where they are
/// static, its encoding's where one is not.
bool isTile(mlir::Type Type);

/// A memref of rank 1 to 4 in global memory.
bool isView(mlir::Type Type);

/// A memref with static shape in a memory of the core.
bool isBuffer(mlir::Type Type);

/// Nothing for a memref whose space is not one of ours.
std::optional<MemorySpace> getSpace(mlir::MemRefType Type);
bool isInSpace(mlir::Type Type, MemorySpace Space);

/// The type of a part of a buffer: `ascend.slice`.
bool isSlice(mlir::Type Type);
mlir::MemRefType getSliceType(mlir::Type Element, MemorySpace Space);

/// Elements from one row of a buffer to the next.
int64_t pitchOf(mlir::MemRefType Buffer);

/// What a buffer of that type takes: whole repeats, in bytes.
int64_t bytesOf(mlir::MemRefType Buffer);

/// What AscendC calls a function of one or of two operands.
llvm::StringRef apiName(Unary Kind);
llvm::StringRef apiName(Binary Kind);

/// Rows and columns that are set aside for a tile.
CapacityAttr getCapacity(mlir::RankedTensorType Tile);

/// The type of a tile; ShapedType::kDynamic as an extent needs a capacity.
mlir::RankedTensorType getTileType(mlir::Type Element,
                                   llvm::ArrayRef<int64_t> Extents,
                                   llvm::ArrayRef<int64_t> Capacity);

} // namespace belay::ascend

#include "dialect/AscendInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialect/AscendOps.h.inc"

#endif // BELAY_DIALECT_ASCEND_H
