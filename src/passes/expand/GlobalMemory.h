//===- GlobalMemory.h - Views, indices, the data cache ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_EXPAND_GLOBALMEMORY_H
#define BELAY_PASSES_EXPAND_GLOBALMEMORY_H

#include "passes/expand/Nest.h"

namespace belay::passes {

/// Elements from one place of a dimension to the next, as far as the type of
/// the view says.
int64_t staticStride(mlir::Value View, unsigned Dim);

/// Whether a buffer holds one column of a view, packed: its elements are a line
/// of the buffer, and neighbours along the last but one dimension of the view.
/// One element alone is a row, unless only a column of it lies side by side.
bool isPackedColumn(mlir::Value View, mlir::MemRefType Buffer);

/// The dimension of a view in which neighbours of a buffer are neighbours.
unsigned lineDimension(mlir::Value View, mlir::MemRefType Buffer);

/// The stride of a dimension as a number of the kernel.
mlir::Value strideOf(Nest &N, mlir::Value View, unsigned Dim);
mlir::Value extentOf(Nest &N, mlir::Value View, unsigned Dim);

/// Whether a copy out of elements that do not lie side by side has the vector
/// unit give each a block: Brcb takes 16 and 32 bits.
bool spreadsElements(ascend::DmaOutOp Op);

/// Fields of a copy of rows; see `ascend.copy_pad.in`.
struct CopyFields {
  mlir::Value Blocks, Bytes, GmGap, UbGap;
};
void copyIn(Nest &N, mlir::Location Loc, mlir::Value View,
            llvm::ArrayRef<mlir::OpFoldResult> Offsets,
            llvm::ArrayRef<mlir::OpFoldResult> Sizes, mlir::Value Dst,
            const CopyFields &Fields, mlir::Value Pad = {},
            mlir::Value PadCount = {}, mlir::Value Left = {});
void copyOut(Nest &N, mlir::Location Loc, mlir::Value Src, mlir::Value View,
             llvm::ArrayRef<mlir::OpFoldResult> Offsets,
             llvm::ArrayRef<mlir::OpFoldResult> Sizes, const CopyFields &Fields,
             ascend::CombineAttr Combine);

/// Whole blocks that lie side by side.
void copyBlocksIn(Nest &N, mlir::Location Loc, mlir::Value View,
                  llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                  llvm::ArrayRef<mlir::OpFoldResult> Sizes, mlir::Value Dst,
                  mlir::Value Count);
void copyBlocksOut(Nest &N, mlir::Location Loc, mlir::Value Src,
                   mlir::Value View, llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                   llvm::ArrayRef<mlir::OpFoldResult> Sizes, mlir::Value Count,
                   ascend::CombineAttr Combine);

/// Fields of a copy of rows of whole blocks; see `ascend.copy_rows.in`.
struct RowFields {
  mlir::Value Rows, Blocks, GmGap, UbGap;
};
void copyRowsIn(Nest &N, mlir::Location Loc, mlir::Value View,
                llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                llvm::ArrayRef<mlir::OpFoldResult> Sizes, mlir::Value Dst,
                const RowFields &Fields);
void copyRowsOut(Nest &N, mlir::Location Loc, mlir::Value Src, mlir::Value View,
                 llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                 llvm::ArrayRef<mlir::OpFoldResult> Sizes,
                 const RowFields &Fields, ascend::CombineAttr Combine);

//===----------------------------------------------------------------------===//
// By the scalar unit
//===----------------------------------------------------------------------===//

mlir::Value readGlobal(Nest &N, mlir::Value View,
                       llvm::ArrayRef<mlir::OpFoldResult> Offsets);
/// Writes an element, or combines it with what is there, and lets others see
/// it. No other core may use the 64 bytes around it.
void writeGlobal(Nest &N, mlir::Value Element, mlir::Value View,
                 llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                 ascend::CombineAttr Combine);

/// Lets the scalar unit see what copies have written to a window of a view that
/// is as large as a buffer, if the kernel writes to it.
void refreshCache(Nest &N, mlir::Value View,
                  llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                  mlir::MemRefType Buffer);

/// What is done with an element of a buffer, and the element of a view that
/// belongs to it.
using ElementBuilder = llvm::function_ref<void(
    mlir::Value Number, llvm::ArrayRef<mlir::OpFoldResult> Place)>;

/// All elements of a window, one by one; the first is that of a row and a
/// column of the buffer, if it is not the buffer's first.
void forElements(Nest &N, llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                 llvm::ArrayRef<mlir::OpFoldResult> Sizes,
                 mlir::MemRefType Buffer, mlir::ValueRange Inset,
                 ElementBuilder Element);
/// The same, read as an instruction of MTE2.
void readElements(Nest &N, mlir::Value View,
                  llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                  llvm::ArrayRef<mlir::OpFoldResult> Sizes, mlir::Value Buffer,
                  mlir::ValueRange Inset);

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

/// Whether indices name rows of a view that the copy engine can take from, or
/// to, rows of a buffer.
bool isByRows(mlir::Value View, mlir::Value Buffer);

/// What is done with a row of a buffer, and the row of the view that its index
/// names.
using RowBuilder = llvm::function_ref<void(mlir::Value Row, mlir::Value Place)>;

/// Single elements are read by the scalar unit.
void gather(Nest &N, ascend::DmaGatherOp Op, RowBuilder Row);
void scatter(Nest &N, ascend::DmaScatterOp Op, RowBuilder Row,
             ElementBuilder Element);

} // namespace belay::passes

#endif // BELAY_PASSES_EXPAND_GLOBALMEMORY_H
