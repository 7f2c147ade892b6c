//===- Obligations.h - What has to be proven of an operation ----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_OBLIGATIONS_H
#define BELAY_ANALYSIS_OBLIGATIONS_H

#include "analysis/Terms.h"
#include "mlir/IR/Builders.h"
#include <functional>

namespace belay::analysis {

/// A property that must hold whenever an operation is reached.
struct Obligation {
  /// Of src/support/Diagnostics.def.
  llvm::StringRef Id;
  /// The property, in words of the source.
  std::string Text;
  /// The ways in which it can fail; each has to contradict the facts.
  Choice Violations;
  /// Builds the property as an i1, to be checked on the device. Without it what
  /// is not proven is refused. May assume earlier obligations of the operation.
  std::function<mlir::Value(mlir::OpBuilder &, mlir::Location)> Guard;
  /// Whether the text is a condition that could be written in the source.
  bool IsCode = true;
  /// What to change where it is not proven, if that is known.
  std::string Hint = {};
};

using Obligations = llvm::SmallVector<Obligation, 4>;

/// All that a single operation has to fulfil, in the order in which it is
/// proven. Relations between operations and between cores are not among them.
Obligations obligationsOf(mlir::Operation *Op, Terms &T);

/// Whether the prover knows what an operation means.
bool isKnown(mlir::Operation *Op);

// The parts of obligationsOf(), one file each.
void addWindowObligations(mlir::Operation *Op, Terms &T, Obligations &To);
void addViewObligations(mlir::Operation *Op, Terms &T, Obligations &To);
void addTileObligations(mlir::Operation *Op, Terms &T, Obligations &To);
void addArithmeticObligations(mlir::Operation *Op, Terms &T, Obligations &To);
void addLoopObligations(mlir::Operation *Op, Terms &T, Obligations &To);

//===----------------------------------------------------------------------===//
// Properties that many of them need
//===----------------------------------------------------------------------===//

/// A <= B, as text and as a guard.
Obligation atMost(llvm::StringRef Id, std::string Text, Terms &T,
                  mlir::OpFoldResult A, mlir::OpFoldResult B);
/// A >= B.
Obligation atLeast(llvm::StringRef Id, std::string Text, Terms &T,
                   mlir::OpFoldResult A, mlir::OpFoldResult B);
/// A == B; without a guard where one of them is no value.
Obligation equals(llvm::StringRef Id, std::string Text, Linear LinearA,
                  Linear LinearB, mlir::OpFoldResult A, mlir::OpFoldResult B);

/// An i1 that compares two indices.
mlir::Value compare(mlir::OpBuilder &Builder, mlir::Location Loc,
                    llvm::StringRef Sign, mlir::OpFoldResult A,
                    mlir::OpFoldResult B);

/// The extent of a view, as a value.
mlir::OpFoldResult makeExtent(mlir::OpBuilder &Builder, mlir::Location Loc,
                              mlir::Value View, unsigned Dim);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_OBLIGATIONS_H
