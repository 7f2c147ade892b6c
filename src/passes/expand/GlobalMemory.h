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

/// The same as a number of the kernel.
mlir::Value strideOf(Nest &N, mlir::Value View, unsigned Dim);
mlir::Value extentOf(Nest &N, mlir::Value View, unsigned Dim);

/// Fields of a copy of rows; see `ascend.copy_pad.in`.
struct CopyFields {
  mlir::Value Blocks, Bytes, GmGap, UbGap;
};
void copyIn(Nest &N, mlir::Location Loc, mlir::Value View,
            llvm::ArrayRef<mlir::OpFoldResult> Offsets,
            llvm::ArrayRef<mlir::OpFoldResult> Sizes, mlir::Value Dst,
            const CopyFields &Fields, mlir::Value Pad, mlir::Value PadCount);
void copyOut(Nest &N, mlir::Location Loc, mlir::Value Src, mlir::Value View,
             llvm::ArrayRef<mlir::OpFoldResult> Offsets,
             llvm::ArrayRef<mlir::OpFoldResult> Sizes, const CopyFields &Fields,
             ascend::CombineAttr Combine);

mlir::Value readGlobal(Nest &N, mlir::Value View,
                       llvm::ArrayRef<mlir::OpFoldResult> Offsets);

/// Lets the scalar unit see what copies have written to a view, if the kernel
/// writes to it.
void refreshCache(Nest &N, mlir::Value View);

/// Builds what is done with the place that an index from data names, which the
/// policy makes a place of the view's first dimension.
void withPlace(Nest &N, ascend::BadIndex Policy, mlir::Value View,
               mlir::Value Indices, mlir::Value Number,
               llvm::function_ref<void(mlir::Value Place)> Build);

} // namespace belay::passes

#endif // BELAY_PASSES_EXPAND_GLOBALMEMORY_H
