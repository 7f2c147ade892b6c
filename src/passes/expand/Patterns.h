//===- Patterns.h - One pattern for each macro ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_EXPAND_PATTERNS_H
#define BELAY_PASSES_EXPAND_PATTERNS_H

#include "passes/expand/Nest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace belay::passes {

/// Notes on what has been built after \p Before which macro it was built for,
/// if that is asked for.
void keepOrigin(mlir::Operation *Macro, mlir::Operation *Before);

/// Replaces all macros of a kernel; fails, with an error, if one has no
/// instructions.
mlir::LogicalResult expandInstructions(mlir::func::FuncOp Kernel,
                                       const targets::Arch &Arch);

/// A pattern that builds the nest of one macro in place of it.
template <typename MacroOp>
struct ExpandMacro : mlir::OpRewritePattern<MacroOp> {
  ExpandMacro(mlir::MLIRContext *Context, const targets::Arch &Arch)
      : mlir::OpRewritePattern<MacroOp>(Context), Arch(Arch) {}

  virtual mlir::LogicalResult expand(MacroOp Op, Nest &N) const = 0;

  mlir::LogicalResult
  matchAndRewrite(MacroOp Op, mlir::PatternRewriter &Rewriter) const final {
    mlir::Operation *Before = Op->getPrevNode();
    Nest N(Rewriter, Op, Arch);
    if (failed(expand(Op, N)))
      return mlir::failure();
    keepOrigin(Op, Before);
    Rewriter.eraseOp(Op);
    return mlir::success();
  }

  const targets::Arch &Arch;
};

void addElementwisePatterns(mlir::RewritePatternSet &Patterns,
                            const targets::Arch &Arch);
void addCopyPatterns(mlir::RewritePatternSet &Patterns,
                     const targets::Arch &Arch);
void addBlockCopyPatterns(mlir::RewritePatternSet &Patterns,
                          const targets::Arch &Arch);
void addBroadcastPatterns(mlir::RewritePatternSet &Patterns,
                          const targets::Arch &Arch);
void addColumnPatterns(mlir::RewritePatternSet &Patterns,
                       const targets::Arch &Arch);
void addCubePatterns(mlir::RewritePatternSet &Patterns,
                     const targets::Arch &Arch);
void addOneCorePatterns(mlir::RewritePatternSet &Patterns,
                        const targets::Arch &Arch);
void addReductionPatterns(mlir::RewritePatternSet &Patterns,
                          const targets::Arch &Arch);
void addScalarPatterns(mlir::RewritePatternSet &Patterns,
                       const targets::Arch &Arch);
void addTakePatterns(mlir::RewritePatternSet &Patterns,
                     const targets::Arch &Arch);

//===----------------------------------------------------------------------===//
// What several patterns build
//===----------------------------------------------------------------------===//

/// What a combination of nothing gives, as the type has it.
mlir::TypedAttr neutralOf(ascend::Combine Combine, mlir::Type Element);

/// What combines two operands of the vector unit.
ascend::Binary binaryOf(ascend::Combine Combine);

/// Combines two scalars.
mlir::Value combineScalars(Nest &N, ascend::Combine Combine, mlir::Value A,
                           mlir::Value B);

/// Fills the first \p Count elements; by the scalar unit where the vector unit
/// has no form for the type.
void fillLine(Nest &N, mlir::Value Value, mlir::Value Buffer,
              mlir::Value Count);

/// Before a copy in that pads: unless its window is as large as the buffer, all
/// of that gets the value, by the vector unit between two flags.
void fillBeforeCopy(Nest &N, ascend::DmaInOp Op);

/// Copies whole blocks, of which the last may end past \p Count.
void copyLine(Nest &N, mlir::Value From, mlir::Value To, mlir::Value Count);

/// What \p Build builds is done by the scalar unit, after all that the vector
/// unit waited for, and the vector unit waits for it.
void onScalarUnit(Nest &N, llvm::function_ref<void()> Build);

/// Elements of the space in which a reduction folds rows that are longer than a
/// repeat, before the space for what else it needs. Rows whose every column is
/// there (\p AllColumns) are folded block by block where that takes fewer
/// instructions.
int64_t foldedElements(const targets::Arch &Arch, mlir::MemRefType Src,
                       bool AllColumns);

/// Elements of the space in which rows of \p Src are combined half by half; 0
/// where instructions do that, or the scalar unit has to.
int64_t halvedElements(const targets::Arch &Arch, ascend::Combine How,
                       mlir::MemRefType Src);

/// Combines each of \p Rows rows of \p Cols elements, half by half. A column is
/// one row.
void combineByHalves(Nest &N, ascend::VecReduceOp Op, mlir::Value Rows,
                     mlir::Value Cols);

/// Elements of the space in which the places of all rows' extremes are found
/// at once; 0 where each row is searched by itself.
int64_t placedElements(const targets::Arch &Arch, mlir::MemRefType Src,
                       bool AllColumns);

/// Whether tiles of that capacity are transposed by the vector unit.
bool transposesBlocks(const targets::Arch &Arch, mlir::Type Element,
                      int64_t Rows, int64_t Cols);

/// Whether the last block of a line may have to be put together somewhere,
/// where copies take whole blocks.
bool mayEndInsideBlock(const targets::Arch &Arch, mlir::MemRefType Buffer,
                       std::optional<int64_t> Length);

} // namespace belay::passes

#endif // BELAY_PASSES_EXPAND_PATTERNS_H
