//===- Translator.h - One kernel on its way to PTO --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the files of src/emit/pto only.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_PTO_TRANSLATOR_H
#define BELAY_EMIT_PTO_TRANSLATOR_H

#include "dialect/Ascend.h"
#include "dialect/Pipes.h"
#include "emit/pto/Pto.h"
#include "emit/pto/Translate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "targets/PtoNames.h"

namespace belay::pto {

/// A tile over a buffer: its space and what of it is in use. No value: all.
struct TileShape {
  int64_t Rows, Cols;
  mlir::Value ValidRows, ValidCols;
  bool ColMajor = false;
  /// Instead of the buffer's; masks have whole bytes.
  mlir::Type Element = {};
  /// Space for intermediate values.
  bool IsWork = false;
  Pad Value = Pad::Null;
};

/// What a window of global memory has for the cube core.
struct Matrix {
  mlir::Value Rows, Cols;
  /// Elements from a row to the next.
  mlir::Value Pitch;
};

class Translator {
public:
  Translator(mlir::func::FuncOp Kernel, mlir::OpBuilder &Builder,
             const targets::Soc &Soc, Sync Who, ascend::Core Runs,
             bool IsPart = false)
      : Kernel(Kernel), Builder(Builder), Who(Who), Runs(Runs), IsPart(IsPart),
        CoreFlags(ascend::flagsBetweenCores(*Soc.arch)),
        UsableBytes(Soc.ub - Soc.arch->ubReserved), L1Bytes(Soc.l1),
        PacksMasks(targets::ptoPacksMasks(*Soc.arch)) {}

  mlir::LogicalResult run();
  /// What it made.
  mlir::func::FuncOp function() const { return Made; }

private:
  mlir::InFlightDiagnostic refuse(mlir::Operation *Op);

  // Functions, control flow, scalars (Translate.cpp).
  void notePlace(ascend::BufferOp Buffer);
  void declare();
  mlir::LogicalResult translateBody();
  mlir::Value whetherThisCoreWorks();
  mlir::LogicalResult translate(mlir::Block &Block);
  mlir::LogicalResult translate(mlir::Operation &Op);
  mlir::LogicalResult translateRegions(mlir::Operation &Op);
  mlir::LogicalResult translateScalar(mlir::Operation &Op);
  void choose(mlir::arith::SelectOp Op);
  mlir::LogicalResult addScalars(mlir::Operation &Op, mlir::Value Lhs,
                                 mlir::Value Rhs);
  mlir::LogicalResult translate(mlir::memref::DimOp Op);
  mlir::LogicalResult translate(ascend::GuardOp Op);
  void trapUnless(mlir::Location Loc, mlir::Value Holds);

  // Flags and barriers (TranslateOrder.cpp).
  mlir::LogicalResult translateFlag(mlir::Operation *Op, ascend::Pipe From,
                                    ascend::Pipe To, int64_t Event,
                                    mlir::Value Slot, bool Sets);
  void coreFlag(mlir::Location Loc, Pipe From, int64_t Flag, mlir::Value Slot,
                bool Sets);
  mlir::LogicalResult translate(ascend::BarrierOp Op);

  // Copies (TranslateCopies.cpp).
  struct Window;
  mlir::LogicalResult followToArgument(mlir::Operation *Op, mlir::Value View,
                                       Window &Found);
  static void permute(mlir::memref::TransposeOp View, Window &Found);
  mlir::LogicalResult findWindow(mlir::Operation *Op, mlir::Value View,
                                 llvm::ArrayRef<mlir::OpFoldResult> Offsets,
                                 llvm::ArrayRef<mlir::OpFoldResult> Sizes,
                                 Window &Found);
  mlir::Value partOf(mlir::Location Loc, Window &Found, bool Matrix);
  void moveOut(mlir::memref::SubViewOp Part, Window &Found,
               llvm::SmallVector<unsigned> &Dims);
  static unsigned lineOf(const Window &Of, mlir::MemRefType Buffer);
  static bool isSideBySide(const Window &Of, mlir::MemRefType Buffer);
  mlir::Value makePart(mlir::Location Loc, Window &Found,
                       mlir::MemRefType Buffer, TileShape &Shape);
  mlir::LogicalResult loadElements(ascend::DmaInOp Op, const Window &Found);
  mlir::FailureOr<mlir::Value>
  makeMatrix(mlir::Operation *Op, mlir::Value View,
             llvm::ArrayRef<mlir::OpFoldResult> Offsets,
             llvm::ArrayRef<mlir::OpFoldResult> Sizes, Matrix &Found);
  mlir::Value viewOf(mlir::BlockArgument Argument);
  mlir::Value extentOf(mlir::BlockArgument Argument, unsigned Dim);
  mlir::FailureOr<llvm::SmallVector<mlir::NamedAttribute>>
  combining(mlir::Operation *Op, std::optional<ascend::Combine> How);
  mlir::LogicalResult translate(ascend::DmaInOp Op);
  mlir::LogicalResult translate(ascend::DmaOutOp Op);

  // The cube core (TranslateCube.cpp).
  mlir::LogicalResult translateCube(mlir::Operation &Op);
  mlir::LogicalResult translate(ascend::CubeInOp Op);
  mlir::LogicalResult translate(ascend::CubeFillOp Op);
  mlir::LogicalResult translate(ascend::CubeLoadOp Op);
  mlir::LogicalResult translate(ascend::CubeMmadOp Op);
  mlir::LogicalResult translate(ascend::CubeOutOp Op);
  void zero(mlir::Location Loc, mlir::Value Tile);
  void fillWithZeros(mlir::Location Loc, mlir::Value Buffer);
  mlir::Value makeZeros(mlir::Location Loc, TileBufType Type);
  /// A matrix in fractals over a buffer of the cube core.
  mlir::Value matrixAt(mlir::Value Buffer, mlir::Value Rows, mlir::Value Cols,
                       bool Transposed = false);

  // Transposes and indices (TranslateIndices.cpp).
  mlir::LogicalResult translate(ascend::VecTransposeOp Op);
  mlir::LogicalResult translate(ascend::VecTakeOp Op);
  mlir::LogicalResult takeRow(ascend::VecTakeOp Op, mlir::Value Src,
                              mlir::Value Indices, mlir::Value Places,
                              mlir::Value Dst, const TileShape &Row,
                              int64_t Last);
  mlir::LogicalResult takeRows(ascend::VecTakeOp Op);
  mlir::LogicalResult translate(ascend::VecEveryOtherOp Op);
  mlir::LogicalResult translate(ascend::DmaGatherOp Op);
  mlir::LogicalResult translate(ascend::DmaScatterOp Op);
  void withPlace(mlir::Location Loc, ascend::BadIndex Policy, mlir::Value Read,
                 mlir::Value Size, llvm::function_ref<void(mlir::Value)> Build);
  mlir::LogicalResult
  forNamedRows(mlir::Operation *Op, ascend::BadIndex Policy, mlir::Value View,
               mlir::Value Indices, mlir::Value Buffer, mlir::Value Count,
               llvm::function_ref<void(mlir::Value, mlir::Value)> Build);
  mlir::LogicalResult bound(mlir::Operation *Op, llvm::StringRef Name,
                            mlir::Value Src, mlir::Value Number,
                            mlir::Value Dst, const TileShape &Row);
  /// An operation whose operands are `ins` and one of `outs`.
  void createWith(mlir::Location Loc, llvm::StringRef Name,
                  mlir::ValueRange Ins, mlir::Value Out,
                  llvm::ArrayRef<mlir::NamedAttribute> Attrs = {});
  bool hasRows(mlir::Operation *Op);
  /// What the vector unit did is complete, where ptoas does not order it.
  void orderVector(mlir::Location Loc);

  // The vector unit (TranslateVector.cpp).
  mlir::LogicalResult translateVector(mlir::Operation &Op);
  mlir::LogicalResult translate(ascend::VecUnaryOp Op);
  mlir::LogicalResult translate(ascend::VecBinaryOp Op);
  mlir::LogicalResult translate(ascend::VecScalarOp Op);
  mlir::LogicalResult translate(ascend::VecFillOp Op);
  mlir::LogicalResult translate(ascend::VecCopyOp Op);
  mlir::LogicalResult translate(ascend::VecCastOp Op);
  mlir::LogicalResult translate(ascend::VecCompareOp Op);
  mlir::LogicalResult translate(ascend::VecSelectOp Op);
  mlir::LogicalResult translate(ascend::VecIotaOp Op);
  mlir::LogicalResult translate(ascend::VecReduceOp Op);
  mlir::LogicalResult translate(ascend::VecBroadcastOp Op);
  mlir::LogicalResult translate(ascend::VecSpreadOp Op);
  mlir::LogicalResult translate(ascend::VecRepeatedOp Op);
  mlir::LogicalResult translate(ascend::ReadScalarOp Op);
  mlir::LogicalResult translate(ascend::WriteScalarOp Op);
  mlir::LogicalResult reduceRows(ascend::VecReduceOp Op, TileShape Source);
  TileShape rowFor(mlir::ValueRange Buffers, mlir::Value Count);
  /// As orderVector, unless what is before an operation does it.
  void orderBefore(mlir::Operation *Op);
  mlir::LogicalResult onWords(mlir::Operation *Op, llvm::StringRef Name,
                              mlir::ValueRange Buffers, mlir::Value Count);
  mlir::LogicalResult onMasks(mlir::Operation *Op, llvm::StringRef Name,
                              mlir::ValueRange Buffers, mlir::Value Count);
  /// An operation on the first `Count` elements of all buffers.
  mlir::LogicalResult flat(mlir::Operation *Op, llvm::StringRef Name,
                           mlir::ValueRange Sources, mlir::Value Scalar,
                           mlir::Value Dst, mlir::Value Count,
                           llvm::ArrayRef<mlir::NamedAttribute> Attrs = {});

  // Tiles (TranslateTiles.cpp).
  mlir::Value tileAt(mlir::Value Buffer, const TileShape &Shape);
  mlir::Value rowAt(mlir::Value Buffer, mlir::Value Row, mlir::Value Cols);
  /// A tile of a type over a buffer; a value for each extent in use that the
  /// type leaves open.
  mlir::Value place(mlir::Value Buffer, TileBufType Type, mlir::Value Rows,
                    mlir::Value Cols, bool IsWork = false);
  TileBufType typeOfMatrix(mlir::MemRefType Buffer, bool Transposed,
                           mlir::Value Rows, mlir::Value Cols);
  mlir::Value addressOf(ascend::BufferOp Buffer);
  mlir::Value scratch(mlir::Location Loc, TileBufType Type);
  TileBufType typeOfTile(mlir::Type Element, const TileShape &Shape);
  mlir::Value tileOf(ascend::BufferOp Buffer);
  mlir::Value reinterpreted(mlir::Value Tile, TileBufType Type);
  mlir::Value partFor(mlir::Value Tile, TileBufType Type);
  void resize(mlir::Value Tile, int64_t Cols);
  bool growForParts(llvm::ArrayRef<llvm::SmallVector<TReshapeOp>> Shapes,
                    llvm::SmallVectorImpl<int64_t> &More);
  bool settleParts();
  mlir::Value reshaped(mlir::Value Buffer, TileBufType Type, mlir::Value Rows,
                       mlir::Value Cols, bool IsWork);
  void create(mlir::Location Loc, llvm::StringRef Name,
              mlir::ValueRange Operands,
              llvm::ArrayRef<mlir::NamedAttribute> Attrs = {});
  mlir::Value constant(mlir::Location Loc, int64_t Value);
  mlir::Value valueOf(mlir::Location Loc, mlir::OpFoldResult Of);
  mlir::Value mapped(mlir::Value Old) { return Map.lookup(Old); }

  mlir::func::FuncOp Kernel;
  mlir::OpBuilder &Builder;
  Sync Who;
  ascend::Core Runs;
  /// Of a kernel of both cores.
  bool IsPart;
  /// Flags between cores that the kernel itself may use; two more are those of
  /// a barrier for both.
  int64_t CoreFlags;
  /// Of the unified buffer.
  int64_t UsableBytes;
  int64_t L1Bytes;
  bool PacksMasks;
  mlir::func::FuncOp Made;
  mlir::IRMapping Map;
  /// Of a view that is an argument: its extents, in the new function.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> Extents;
  llvm::DenseMap<mlir::Value, mlir::Value> Views;
  mlir::Value CoreIndex, CoreCount;
  /// Where no buffer of the plan lies in the unified buffer and in L1, in
  /// bytes.
  int64_t EndOfPlan = 0, EndOfL1 = 0;
  /// Of buffers that ptoas puts somewhere: one tile for each.
  llvm::DenseMap<mlir::Value, mlir::Value> Tiles;
  /// Event 0 between V and S is used inside of operations of pto-isa.
  bool ReservesScalarEvent = false;
  /// A buffer was needed as tiles of different sizes.
  bool Misfits = false;
};

} // namespace belay::pto

#endif // BELAY_EMIT_PTO_TRANSLATOR_H
