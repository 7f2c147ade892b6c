//===- DotLowering.h - Products of tiles on the cube core -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles that are loaded for products go to L1; a tile that products are added
// to is a sum in L0C, in which it stays through loops, and leaves through the
// fixpipe, which rounds. All other tiles are left to the vector core.
// L0C cannot be filled: whether a sum is still zero is a number that loops
// carry, the first product takes the place of what is there, and where there
// was none, zeros are multiplied.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_DOTLOWERING_H
#define BELAY_PASSES_DOTLOWERING_H

#include "dialect/Fractals.h"
#include "passes/Sums.h"
#include "targets/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace belay::passes {

/// Where a tile is.
struct CubeTile {
  enum class Kind {
    Zero,    ///< Nowhere yet; what is added to it makes it a sum.
    Operand, ///< In L1.
    Sum,     ///< In L0C; what is stored of it is rounded.
  } What;
  /// Of an operand as it is multiplied, of a sum as it is in L0C.
  mlir::Value Rows, Cols;
  mlir::Value Buffer = {};
  /// Whether L1 or L0C has the transpose of the tile.
  bool Transposed = false;
  /// Of a sum: whether it is zero still, and nothing has been written.
  mlir::Value IsZero = {};

  /// The same elements, with rows for columns.
  CubeTile flipped() const {
    CubeTile Other = *this;
    std::swap(Other.Rows, Other.Cols);
    Other.Transposed = !Transposed;
    return Other;
  }
};

class DotLowering {
public:
  DotLowering(mlir::func::FuncOp Kernel, const targets::Soc &Soc)
      : Kernel(Kernel), Soc(Soc), B(Kernel.getContext()),
        Kept(Kernel, !Soc.split) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult lower(mlir::Block &Block);
  mlir::LogicalResult lower(mlir::Operation &Op);
  mlir::LogicalResult lower(ascend::LoadOp Load);
  mlir::LogicalResult lower(ascend::StoreOp Store);
  mlir::LogicalResult lower(mlir::scf::ForOp Loop);
  mlir::LogicalResult lower(ascend::SplatOp Splat);
  mlir::LogicalResult lower(ascend::DotOp Dot);
  mlir::LogicalResult lower(mlir::arith::TruncFOp Round);
  mlir::LogicalResult lower(mlir::tensor::DimOp Dim);
  mlir::LogicalResult lowerRegions(mlir::Operation &Op);
  mlir::LogicalResult lowerBarrier(mlir::Operation &Op);
  mlir::LogicalResult lowerSum(ProductSum Sum);

  // Where one core has both units (OneCore.cpp).
  mlir::LogicalResult lower(ascend::HandOp Hand);
  mlir::LogicalResult loadThroughUB(ascend::LoadOp Load);
  mlir::LogicalResult putOperand(ascend::HandOp Hand);
  mlir::LogicalResult getSum(ascend::HandOp Hand);
  void storeSum(mlir::Operation *User, const CubeTile &Sum, int64_t Step);
  bool isKeptAsRow(mlir::RankedTensorType Sum) const;
  mlir::LogicalResult makeOperand(mlir::Operation *For, CubeTile &Tile,
                                  mlir::Type Element, int64_t Rows,
                                  int64_t Cols);
  mlir::Value getRows(const CubeTile &Sum, mlir::RankedTensorType Type,
                      mlir::Value Row, mlir::ValueRange Sizes);
  bool onOneCore() const { return !Soc.split; }

  mlir::LogicalResult refuse(mlir::Operation *Op, const llvm::Twine &What);

  CubeTile &tileOf(mlir::Value Tile) { return Tiles.find(Tile)->second; }
  bool isOnCube(mlir::Value Tile) const { return Tiles.contains(Tile); }
  void define(mlir::Value Tile, CubeTile Where) { Tiles.insert({Tile, Where}); }

  mlir::LogicalResult makeSum(mlir::Operation *For, CubeTile &Zero,
                              mlir::RankedTensorType Type);
  mlir::LogicalResult multiply(ascend::DotOp Dot, CubeTile &Sum);
  mlir::LogicalResult complete(mlir::Operation *For, CubeTile &Sum,
                               mlir::RankedTensorType Type, mlir::Type Zeros);
  void writeZeros(mlir::Location Loc, const CubeTile &Sum, mlir::Type Element);
  mlir::Value transpose(mlir::Value View);

  // Numbers; constants are folded.
  mlir::Value number(int64_t Number) {
    return mlir::arith::ConstantIndexOp::create(B, Loc, Number);
  }
  mlir::Value number(mlir::OpFoldResult Number) {
    if (std::optional<int64_t> Known = mlir::getConstantIntValue(Number))
      return number(*Known);
    return llvm::cast<mlir::Value>(Number);
  }
  mlir::Value truth(bool Known) {
    return mlir::arith::ConstantOp::create(B, Loc, B.getBoolAttr(Known));
  }
  mlir::Value atLeast(mlir::Value A, int64_t Least) {
    return B.createOrFold<mlir::arith::MaxSIOp>(Loc, A, number(Least));
  }
  mlir::Value roundUp(mlir::Value A, int64_t Multiple) {
    mlir::Value More =
        B.createOrFold<mlir::arith::AddIOp>(Loc, A, number(Multiple - 1));
    mlir::Value Parts =
        B.createOrFold<mlir::arith::DivSIOp>(Loc, More, number(Multiple));
    return B.createOrFold<mlir::arith::MulIOp>(Loc, Parts, number(Multiple));
  }
  /// What Mmad takes as m: one row would mean something else, and where whole
  /// fractals leave L0C, whole ones are written.
  mlir::Value rowsOf(const CubeTile &Sum) {
    mlir::Value Rows = atLeast(Sum.Rows, 2);
    return RowSide > ascend::FractalRows || onOneCore() ? roundUp(Rows, RowSide)
                                                        : Rows;
  }
  mlir::Value colsOf(const CubeTile &Sum) {
    mlir::Value Cols = atLeast(Sum.Cols, 1);
    return ColSide > ascend::FractalRows || onOneCore() ? roundUp(Cols, ColSide)
                                                        : Cols;
  }

  mlir::Value makeBuffer(ascend::MemorySpace Space,
                         llvm::ArrayRef<int64_t> Shape, mlir::Type Element);
  mlir::Value makeFractals(ascend::MemorySpace Space, int64_t Outer,
                           int64_t Inner, mlir::Type Element) {
    return makeBuffer(
        Space,
        {Outer, Inner, ascend::FractalRows, ascend::blockElements(Element)},
        Element);
  }
  void kill(mlir::Operation &Op) { Dead.push_back(&Op); }

  mlir::func::FuncOp Kernel;
  const targets::Soc &Soc;
  /// Rows and columns of sums are multiples of what the hardware transposes.
  int64_t RowSide = ascend::FractalRows, ColSide = ascend::FractalRows;
  mlir::OpBuilder B;
  mlir::Location Loc = Kernel.getLoc();
  Sums Kept;
  llvm::DenseMap<mlir::Value, CubeTile> Tiles;
  /// Products that are to be multiplied where they are added to a sum.
  llvm::SetVector<mlir::Operation *> Awaited;
  llvm::SmallVector<mlir::Operation *> Dead;
};

/// Says of a kernel for a core with both units where tiles go from one to the
/// other.
void handOnOneCore(mlir::func::FuncOp Kernel);

} // namespace belay::passes

#endif // BELAY_PASSES_DOTLOWERING_H
