//===- Sums.h - Tiles that are sums of products -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tiles can stay in L0C: products, what products are added to, and what
// loops carry of that, as long as nobody else reads an old value.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_SUMS_H
#define BELAY_PASSES_SUMS_H

#include "dialect/Ascend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace belay::passes {

/// Those that read the elements of a tile.
unsigned readersOf(mlir::Value Tile);

/// Whether a tile is read by products only.
bool isForProducts(mlir::Value Tile);

/// What a tile is but for how much its type tells of extents.
mlir::Value withoutCasts(mlir::Value Tile);

/// Whether a number, or what fills a tile, is zero.
bool isZero(mlir::Value Number);
ascend::SplatOp zeroSplatOf(mlir::Value Tile);

/// An addition of tiles one of which is a product that nobody else reads.
struct ProductSum {
  mlir::Operation *Add;
  mlir::Value Old;
  ascend::DotOp Product;
};
std::optional<ProductSum> productSumOf(mlir::Operation *Op);

/// Whether an operand of a product can be loaded as it is: rows or columns lie
/// side by side, and nothing is filled in.
bool isLoadedForProducts(ascend::LoadOp Load);

/// Gives a use a tile of its own, made as the one that it shares with others.
void makeOwn(mlir::OpOperand &Use, mlir::Operation *Maker);

class Sums {
public:
  /// On a core with both units, sums are stored by the vector unit.
  explicit Sums(mlir::func::FuncOp Kernel, bool OneCore = false);

  /// Makes zeros that become a sum those of one sum only.
  void splitZeros(mlir::func::FuncOp Kernel) const;
  /// Sums that something else than the cube reads.
  llvm::SmallVector<mlir::Value> leaving(mlir::func::FuncOp Kernel) const;

  /// Whether a tile is a sum in L0C, or zeros that become one.
  bool contains(mlir::Value Tile) const { return All.contains(Tile); }
  /// Whether a use of a sum leaves it in L0C: adds to it, carries it on, rounds
  /// and stores it.
  bool isKeptBy(mlir::OpOperand &Use) const;

private:
  void collect(mlir::Operation *Op);
  bool holds(mlir::Value Tile) const;
  bool isCarriedAsSum(mlir::BlockArgument Argument) const;

  llvm::DenseSet<mlir::Value> All;
  bool OneCore;
};

} // namespace belay::passes

#endif // BELAY_PASSES_SUMS_H
