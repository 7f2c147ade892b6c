//===- TileLowering.h - Tiles become buffers --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_TILELOWERING_H
#define BELAY_PASSES_TILELOWERING_H

#include "dialect/Ascend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "targets/Target.h"

namespace belay::passes {

/// Where a tile's elements are. A tile that is the same value everywhere has
/// no buffer until one is asked for.
struct Tile {
  mlir::RankedTensorType Type;
  mlir::Value Buffer;
  mlir::Value Splat;
  mlir::OpFoldResult Rows, Cols;
};

struct SpreadLoad;

class TileLowering {
public:
  TileLowering(mlir::func::FuncOp Kernel, const targets::Arch &Arch)
      : Kernel(Kernel), Arch(Arch), Builder(Kernel.getContext()) {}

  mlir::LogicalResult run();

  uint64_t Buffers = 0, Copies = 0;

private:
  // Structure (LowerTiles.cpp).
  mlir::LogicalResult lower(mlir::Block &Block);
  mlir::LogicalResult lower(mlir::Operation &Op);

  // Loops and branches (LowerControlFlow.cpp).
  /// Tiles that a loop carries, each in a buffer of its own.
  struct CarriedTiles {
    llvm::SmallVector<mlir::Value> Buffers;
    llvm::SmallVector<Tile> Tiles;
  };
  void carry(mlir::Operation *Loop, mlir::Value Init,
             mlir::BlockArgument Argument, mlir::Value Wanted,
             CarriedTiles &Carried);
  mlir::LogicalResult lowerBody(mlir::Block &Body, mlir::ValueRange Yielded,
                                const CarriedTiles &Carried);
  mlir::LogicalResult lower(mlir::scf::ForOp Loop);
  mlir::LogicalResult lower(mlir::scf::WhileOp Loop);
  mlir::LogicalResult lower(mlir::scf::IfOp If);
  mlir::LogicalResult lowerBranch(mlir::Block &Block,
                                  llvm::ArrayRef<unsigned> TileResults,
                                  llvm::ArrayRef<mlir::Value> Buffers,
                                  llvm::SmallVectorImpl<Tile> &Yielded);
  mlir::LogicalResult yieldInto(mlir::Operation *Yield, mlir::ValueRange Values,
                                llvm::ArrayRef<mlir::Value> Buffers);

  // Operations (LowerElementwise.cpp).
  mlir::LogicalResult lower(ascend::LoadOp Op);
  mlir::LogicalResult lower(ascend::StoreOp Op);
  mlir::LogicalResult lower(ascend::BroadcastOp Op);
  mlir::LogicalResult lower(ascend::ReduceOp Op);
  mlir::LogicalResult lower(ascend::ArgReduceOp Op);
  mlir::LogicalResult lower(ascend::ScanOp Op);
  mlir::LogicalResult lower(ascend::TransposeOp Op);
  mlir::LogicalResult lower(ascend::TakeOp Op);
  mlir::LogicalResult lower(ascend::IotaOp Op);
  mlir::LogicalResult lower(ascend::GatherOp Op);
  mlir::LogicalResult lower(ascend::ScatterOp Op);
  mlir::LogicalResult lower(ascend::PrintOp Op); // LowerPrints.cpp
  mlir::LogicalResult lowerUnary(mlir::Operation &Op, ascend::Unary Kind);
  mlir::LogicalResult lowerBinary(mlir::Operation &Op, ascend::Binary Kind);
  bool lowerRepeated(mlir::Operation &Op, ascend::Binary Kind);
  bool repeatInstead(ascend::BroadcastOp Op, const Tile &Result);
  mlir::LogicalResult lowerXor(mlir::Operation &Op);
  mlir::LogicalResult lowerNegate(mlir::Operation &Op);
  mlir::LogicalResult lowerCompare(mlir::Operation &Op, ascend::Compare Kind);
  std::pair<mlir::Value, mlir::Value>
  compareIntegers(mlir::Operation &Op, mlir::Value Lhs, mlir::Value Rhs,
                  mlir::Value Count, ascend::Compare &Kind);
  mlir::LogicalResult lowerSelect(mlir::Operation &Op);
  mlir::LogicalResult lowerElementwise(mlir::Operation &Op);
  void scanColumns(ascend::ScanOp Op, mlir::Value Src, const Tile &Tile);
  void reduceInto(mlir::Location Loc, ascend::Combine How, ascend::Axis Axis,
                  const Tile &Source, mlir::Value Dst);

  // Between the units of one core (LowerUnits.cpp).
  mlir::LogicalResult lower(ascend::ToL1Op Op);
  mlir::LogicalResult lower(ascend::FromL0COp Op);

  // Where extremes are (LowerPlaces.cpp).
  mlir::Value columnNumbers(mlir::Location Loc, mlir::MemRefType Type,
                            int64_t Factor);
  void findPlaces(ascend::ArgReduceOp Op, const Tile &Source, mlir::Value Dst);

  // Loads of every second, fourth or eighth column (LowerStridedLoads.cpp).
  bool lowerStrided(ascend::LoadOp Op, const Tile &To);
  SpreadLoad spread(ascend::LoadOp Op, const Tile &To, int64_t Step);
  void loadSpread(const SpreadLoad &Load, const Tile &To, mlir::Value First,
                  mlir::Value Count);
  void takeEvery(const SpreadLoad &Load, mlir::Value From, mlir::Value Rows,
                 const Tile &To, mlir::Value First);

  // Conversions (LowerCasts.cpp).
  mlir::LogicalResult lowerCast(mlir::Operation &Op);

  // Gathers from tiles (LowerTakes.cpp).
  mlir::Value rowStarts(mlir::Location Loc, int64_t Rows, int64_t Pitch);

  // Indices that name nothing (ExpandTakes.cpp).
  void expandTakes();

  // Operations made of others (ExpandTiles.cpp).
  void expandRounding();
  void expandArgReduce();
  void expandChoices();

  // Loops whose condition is more than arithmetic (MoveConditions.cpp).
  mlir::LogicalResult moveConditions();

  // Types without instructions (PromoteTypes.cpp).
  mlir::LogicalResult promote();
  mlir::LogicalResult legaliseMakers();
  mlir::LogicalResult checkElements(mlir::Operation *Op);
  void promote(mlir::Operation *Op);

  // Tiles.
  /// The buffer for a tile: rows begin at multiples of 32 bytes, one column is
  /// packed.
  mlir::MemRefType bufferTypeFor(mlir::RankedTensorType Tile) const;
  void noteElement(mlir::RankedTensorType Tile);
  Tile &tileOf(mlir::Value Value);
  mlir::Value bufferOf(mlir::Value Value);
  /// The buffer that Value is to be computed into.
  mlir::Value destinationFor(mlir::Value Value);
  mlir::Value makeBuffer(mlir::Location Loc, mlir::MemRefType Type);
  /// Space for an instruction's intermediate values.
  mlir::Value makeWork(mlir::Location Loc, mlir::Type Element, int64_t Rows,
                       int64_t Cols);
  mlir::Value makeBlocks(mlir::Location Loc, mlir::Type Element,
                         int64_t Elements);
  mlir::Value makeBlock(mlir::Location Loc, mlir::Type Element);
  mlir::LogicalResult checkAtomic(mlir::Operation *Op, mlir::Type Element,
                                  std::optional<ascend::Combine> Combine);
  mlir::Value countOf(mlir::Location Loc, const Tile &Tile);
  mlir::Value valueOf(mlir::Location Loc, mlir::OpFoldResult Size);
  mlir::Value roundUp(mlir::Location Loc, mlir::Value Count, int64_t Multiple);
  void copy(mlir::Location Loc, const Tile &From, mlir::Value To);
  void setTile(mlir::Value Value, const Tile &Tile);
  /// Whether all that reads what is now in Buffer has done so when Def writes.
  bool isFreeAt(mlir::Value Buffer, mlir::Operation *Def);
  void prefer(mlir::Value Value, mlir::Value Buffer);
  void eraseLater(mlir::Operation &Op) { Dead.push_back(&Op); }

  mlir::func::FuncOp Kernel;
  const targets::Arch &Arch;
  mlir::OpBuilder Builder;
  int64_t NarrowestBits = 64; ///< Of the elements of tiles with rows.
  llvm::DenseMap<mlir::Value, Tile> Tiles;
  /// Values that were ever stored in each buffer.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> ValuesInBuffer;
  llvm::DenseMap<mlir::Value, mlir::Value> Preferred;
  /// Tiles that repeat what is in their buffer: a row, or spread columns.
  llvm::DenseMap<mlir::Value, ascend::Axis> Repeated;
  /// Buffers whose elements are a multiple of their column's number, by type
  /// and factor; made before all else.
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, mlir::Value> Numbers;
  /// Place of each operation in the kernel as it was.
  llvm::DenseMap<mlir::Operation *, unsigned> Order;
  llvm::SmallVector<mlir::Operation *> Dead;
};

/// Whether an operation rounds for conversions to integers only, which round
/// themselves.
bool isRoundedByCast(mlir::Operation &Op);

/// Elements that a reduction of so many needs as space: what each repeat
/// leaves, with an index beside it, and the steps that follow.
int64_t workFor(int64_t Count, mlir::Type Element);

/// A tile whose dynamic extents are Sizes, in order.
Tile tileWithSizes(mlir::RankedTensorType Type, mlir::ValueRange Sizes);

/// A place in the source without the name of what it defines: for values that
/// the source does not name.
mlir::Location unnamed(mlir::Location Loc);

} // namespace belay::passes

#endif // BELAY_PASSES_TILELOWERING_H
