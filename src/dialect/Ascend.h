//===- Ascend.h - The ascend dialect ----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_ASCEND_H
#define BELAY_DIALECT_ASCEND_H

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
#include "dialect/AscendEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialect/AscendAttributes.h.inc"

namespace belay::ascend {

/// A tensor of rank 2 that has a capacity: its own extents where they are
/// static, its encoding's where one is not. It is a possible one.
bool isTile(mlir::Type Type);

/// A memref of rank 1 to 4 in global memory.
bool isView(mlir::Type Type);

/// A memref with static shape in a memory of the core, of a size that exists.
bool isBuffer(mlir::Type Type);

/// Nothing for a memref whose space is not one of ours.
std::optional<MemorySpace> getSpace(mlir::MemRefType Type);
bool isInSpace(mlir::Type Type, MemorySpace Space);

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
/// Which cores of a launch work; nothing where it has not been decided.
CoresAttr getCores(mlir::Operation *Kernel);

/// Whether one core does all the work of a kernel, or of the one around Op.
bool worksAlone(mlir::Operation *Op);

