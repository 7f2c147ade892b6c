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

/// Most elements of a tile, so that 8 bytes of each fit in 31 bits: more than
/// any memory of a core has, and no product of two such sizes leaves 64 bits.
inline constexpr int64_t MaxTileElements = int64_t(1) << 28;
/// Most elements of a view that a launcher admits.
inline constexpr int64_t MaxViewElements = int64_t(1) << 40;

/// Whether a tile may have so many rows and columns.
bool isPossibleTile(int64_t Rows, int64_t Cols);

/// A tensor of rank 2 that has a capacity: its own extents where they are
/// static, its encoding's where one is not. It is a possible one.
bool isTile(mlir::Type Type);

/// What PyTorch calls a batch of volumes has five extents.
inline constexpr int64_t MaxViewRank = 5;

/// A memref of rank 1 to 5 in global memory.
bool isView(mlir::Type Type);

/// A memref with static shape in a memory of the core, of a size that exists.
bool isBuffer(mlir::Type Type);

/// Most bytes of a buffer. A million buffers of that size still have a size in
/// 64 bits.
inline constexpr int64_t MaxBufferBytes = int64_t(1) << 40;

/// Elements from the first to the last of a buffer, with what lies between;
/// nothing if it has no such number.
std::optional<int64_t> getBufferSpan(mlir::MemRefType Buffer);

/// Bytes that a buffer takes in its memory, in whole repeats of the vector
/// unit; nothing if that is more than MaxBufferBytes.
std::optional<int64_t> getBufferBytes(mlir::MemRefType Buffer);

/// What a buffer in a memory begins at a multiple of, in bytes.
int64_t bufferAlignment(MemorySpace Space);

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
/// With a scalar. Empty where there is none.
llvm::StringRef scalarName(Binary Kind);

/// Rows and columns that are set aside for a tile.
CapacityAttr getCapacity(mlir::RankedTensorType Tile);

/// The type of a tile; ShapedType::kDynamic as an extent needs a capacity.
mlir::RankedTensorType getTileType(mlir::Type Element,
                                   llvm::ArrayRef<int64_t> Extents,
                                   llvm::ArrayRef<int64_t> Capacity);

/// Which cores of a launch work; nothing where it has not been decided.
CoresAttr getCores(mlir::Operation *Kernel);

/// Whether one core does all the work of a kernel, or of the one around Op.
bool worksAlone(mlir::Operation *Op);

} // namespace belay::ascend

#include "dialect/AscendInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialect/AscendOps.h.inc"

#endif // BELAY_DIALECT_ASCEND_H
