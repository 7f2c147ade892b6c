//===- Emitter.h - Writing one kernel ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_EMITTER_H
#define BELAY_EMIT_EMITTER_H

#include "dialect/Ascend.h"
#include "emit/AscendC.h"
#include "emit/Helpers.h"
#include "emit/Names.h"
#include "emit/SplitCores.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Support/IndentedOstream.h"

namespace belay::emit {

/// A view as C++: elements of a tensor of global memory, from an offset.
struct ViewText {
  std::string Tensor;
  std::string Offset; ///< "0" if it begins where the tensor does.
  llvm::SmallVector<std::string> Extents, Strides;
};

class Emitter {
public:
  Emitter(const targets::Soc &Soc, llvm::raw_ostream &Out, Helpers &Helpers,
          const Options &Options)
      : Soc(Soc), Out(Out), Uses(Helpers), Opts(Options) {}

  mlir::LogicalResult emit(mlir::func::FuncOp Kernel);

private:
  // The kernel and its control flow (EmitAscendC.cpp).
  mlir::LogicalResult emitSignature(mlir::func::FuncOp Kernel);
  mlir::LogicalResult emitCores(mlir::func::FuncOp Kernel);
  mlir::LogicalResult emitMemory(mlir::func::FuncOp Kernel);
  mlir::LogicalResult emitPart(mlir::func::FuncOp Kernel, ascend::Core Core);
  mlir::LogicalResult emitBody(mlir::func::FuncOp Kernel);
  mlir::LogicalResult emitBlock(mlir::Block &Block);
  mlir::LogicalResult emitOp(mlir::Operation &Op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp Loop);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp Loop);
  mlir::LogicalResult emitIf(mlir::scf::IfOp If);
  void emitBuffer(ascend::BufferOp Buffer);
  void assign(llvm::ArrayRef<std::string> Names, mlir::ValueRange Values);
  void alias(mlir::Value To, mlir::Value From);
  void emitLine(mlir::Location Loc);

  // Copies (EmitCopies.cpp) and instructions (EmitInstructions.cpp).
  mlir::LogicalResult emitInstruction(mlir::Operation &Op);
  void beginAtomic(mlir::Type Element, std::optional<ascend::Combine> Combine);
  void endAtomic(std::optional<ascend::Combine> Combine);
  mlir::LogicalResult emitCopy(ascend::CopyPadInOp Op);
  mlir::LogicalResult emitCopy(ascend::CopyPadOutOp Op);
  mlir::LogicalResult emitCopy(ascend::CopyBlocksInOp Op);
  mlir::LogicalResult emitCopy(ascend::CopyBlocksOutOp Op);
  mlir::LogicalResult emitCopy(ascend::CopyRowsInOp Op);
  mlir::LogicalResult emitCopy(ascend::CopyRowsOutOp Op);
  mlir::LogicalResult emitElement(ascend::GlobalReadOp Op);
  mlir::LogicalResult emitElement(ascend::GlobalWriteOp Op);
  mlir::LogicalResult emitElement(ascend::CacheCleanOp Op);
  // The cube core (EmitCube.cpp).
  mlir::LogicalResult emitCube(ascend::CubeNd2NzOp Op);
  mlir::LogicalResult emitCube(ascend::CubeFillOp Op);
  mlir::LogicalResult emitCube(ascend::CubeLoadOp Op);
  mlir::LogicalResult emitCube(ascend::CubeLoadFractalsOp Op);
  mlir::LogicalResult emitCube(ascend::CubeMmadOp Op);
  mlir::LogicalResult emitCube(ascend::CubeFixpipeOp Op);
  mlir::LogicalResult emitCube(ascend::CubePutBlocksOp Op);
  mlir::LogicalResult emitCube(ascend::CubeFractalsOp Op);
  mlir::LogicalResult emitCube(ascend::CubeRowsOp Op);
  void emitFractals(ascend::CubeLoadOp Op);
  std::string fractals(llvm::StringRef Type, mlir::Value Number, int64_t Each);
  std::string rowOf(mlir::Value Buffer, mlir::Value Row, int64_t Elements);

  std::string startOf(const ViewText &View,
                      llvm::ArrayRef<mlir::OpFoldResult> Offsets);
  void emitGuard(ascend::GuardOp Op);
  void emitFlag(ascend::FlagSetOp Op);
  void emitFlag(ascend::FlagWaitOp Op);
  void emitBarrier(ascend::BarrierOp Op);
  void emitUnary(ascend::VecUnaryOp Op);
  void emitBinary(ascend::VecBinaryOp Op);
  void emitShiftLeft(ascend::VecScalarOp Op);

  // Instructions by repeats (EmitRepeats.cpp).
  void emitRepeated(ascend::RepBinaryOp Op);
  void emitRepeated(ascend::RepScalarOp Op);
  void emitRepeated(ascend::RepCopyOp Op);
  void emitRepeated(ascend::RepReduceOp Op);
  void emitRepeated(ascend::RepBlockReduceOp Op);
  void emitRepeated(ascend::RepBrcbOp Op);
  void emitRepeated(ascend::RepEveryOtherOp Op);
  void emitRepeated(ascend::RepTransposeOp Op);
  void emitRepeated(ascend::LibReduceOp Op);
  std::string operand(mlir::Value Buffer);
  std::string field(llvm::StringRef Type, mlir::Value Value);

  // Scalars (EmitScalars.cpp).
  mlir::LogicalResult emitScalar(mlir::Operation &Op);
  /// The C++ expression of a scalar operation, or nothing for unknown ones.
  std::optional<std::string> expression(mlir::Operation &Op);
  std::string text(mlir::Value Value);
  std::string text(mlir::OpFoldResult Value);
  /// A scalar that meets the elements of a buffer, in exactly their type.
  std::string scalarFor(mlir::Value Buffer, mlir::Value Scalar);
  // Views (EmitViews.cpp).
  /// How many cores work.
  std::string coreCount() const;
  mlir::FailureOr<ViewText> viewOf(mlir::Value View);
  std::string extentOf(mlir::Value View, unsigned Dim);

  const targets::Soc &Soc;
  mlir::raw_indented_ostream Out;
  Helpers &Uses;
  const Options &Opts;
  Names Names;
  /// Expressions of values that are written where they are used.
  llvm::DenseMap<mlir::Value, std::string> Inline;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, std::string> Extents;
  UsedCores On; ///< The kernel's cores.
  /// The one whose part is being written, if there are two.
  std::optional<ascend::Core> Part;
  ascend::CoresAttr Cores;
};

/// A tensor from one of its elements on; from the first if that is empty.
std::string tensorFrom(const std::string &Tensor, const std::string &Start);

/// Whether a value is better written where it is used: a constant, an extent,
/// or something without a name that is used once.
bool isWrittenInPlace(mlir::Operation &Op);

/// An expression without the parentheses around all of it.
std::string bare(std::string Text);

/// The C++ type of an element or scalar.
std::string cppType(mlir::Type Type);

} // namespace belay::emit

#endif // BELAY_EMIT_EMITTER_H
