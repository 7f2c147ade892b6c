//===- Nest.h - Building what a macro becomes -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A macro, one operation on whole tiles, becomes a nest: loops and branches of
// `scf` around single instructions. To the outside a nest behaves like one
// instruction of the macro's pipe: where the scalar unit does a part of the
// work, the nest tells it what the pipe waited for, and tells it back.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_EXPAND_NEST_H
#define BELAY_PASSES_EXPAND_NEST_H

#include "analysis/Facts.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "targets/Target.h"

namespace belay::passes {

/// Rows that one instruction takes at most: as many as its repeat field holds
/// and as keep results of that width, packed side by side, aligned to blocks.
int64_t rowsAtOnce(const targets::Arch &Arch, mlir::Type Element);

class Nest {
public:
  Nest(mlir::RewriterBase &Builder, mlir::Operation *Macro,
       const targets::Arch &Arch);

  mlir::RewriterBase &builder() { return Builder; }
  mlir::Location loc() const { return Loc; }

  //===--------------------------------------------------------------------===//
  // Numbers; constants are folded.
  //===--------------------------------------------------------------------===//
  mlir::Value constant(int64_t Number);
  mlir::Value number(mlir::OpFoldResult Number);
  mlir::Value plus(mlir::Value A, mlir::Value B);
  mlir::Value minus(mlir::Value A, mlir::Value B);
  mlir::Value times(mlir::Value A, mlir::Value B);
  mlir::Value times(mlir::Value A, int64_t Factor) {
    return times(A, constant(Factor));
  }
  mlir::Value atMost(mlir::Value A, int64_t Most);
  /// \p Then if \p By is at least \p Least.
  mlir::Value select(mlir::Value By, int64_t Least, mlir::Value Then,
                     mlir::Value Else);
  mlir::Value divideDown(mlir::Value A, int64_t Divisor);
  mlir::Value divideUp(mlir::Value A, int64_t Divisor);
  mlir::Value roundUp(mlir::Value A, int64_t Multiple) {
    return times(divideUp(A, Multiple), Multiple);
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//
  /// The buffer itself where it begins, with its own elements.
  mlir::Value slice(mlir::Value Buffer, mlir::Value Row, mlir::Value Col,
                    mlir::Type Element = {});
  mlir::Value slice(mlir::Value Buffer, int64_t Row, int64_t Col,
                    mlir::Type Element = {}) {
    return slice(Buffer, constant(Row), constant(Col), Element);
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//
  using Body = llvm::function_ref<void(mlir::Value)>;
  using ChunkBody =
      llvm::function_ref<void(mlir::Value First, mlir::Value Count)>;
  using CarriedBody =
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value Carried)>;
  using Branch = llvm::function_ref<void()>;

  /// Loops over rows are called "r", over columns "c" in the emitted code.
  void forEach(llvm::StringRef Name, mlir::Value From, mlir::Value To,
               int64_t Step, Body Make);
  mlir::Value forEach(llvm::StringRef Name, mlir::Value From, mlir::Value To,
                      int64_t Step, mlir::Value Init, CarriedBody Make);
  /// Parts of at most \p Step out of \p Extent, which is at most \p Capacity:
  /// one part, which may be empty, where that is not more.
  void forChunks(llvm::StringRef Name, mlir::Value Extent, int64_t Capacity,
                 int64_t Step, ChunkBody Make);
  /// The same; no part is empty.
  void forMasks(llvm::StringRef Name, mlir::Value Extent, int64_t Capacity,
                int64_t Step, ChunkBody Make);
  /// What is left of \p Extent from \p First on, but at most \p Step. All
  /// parts are whole if \p From, the first one, and the end say so.
  mlir::Value partOf(mlir::Value Extent, mlir::Value From, mlir::Value First,
                     int64_t Step);
  /// Only one of the two is built where it is known which.
  void ifNotEmpty(mlir::Value Extent, Branch Then, Branch Else = {});
  /// Whether a number is between two others; without a branch where that is
  /// known.
  void ifInRange(mlir::Value Number, int64_t Least, int64_t Most, Branch Then,
                 Branch Else) {
    ifAll(isInRange(Number, Least, Most), Then, Else);
  }
  /// Whether all conditions hold. Those that are known are constants.
  void ifAll(mlir::ValueRange Conditions, Branch Then, Branch Else);
  mlir::Value isInRange(mlir::Value Number, int64_t Least, int64_t Most);
  mlir::Value isMultiple(mlir::Value Number, int64_t Of);
  void ifAtLeast(mlir::Value Number, int64_t Least, Branch Then, Branch Else);
  /// A number that depends on another one.
  using Number = llvm::function_ref<mlir::Value()>;
  mlir::Value choose(mlir::Value By, int64_t Least, Number Then, Number Else);
  bool isNotEmpty(mlir::Value Extent);

  //===--------------------------------------------------------------------===//
  // Order
  //===--------------------------------------------------------------------===//
  /// Between vector instructions, where the hardware does not order them.
  void vectorBarrier();
  void pipeBarrier(ascend::Pipe On);
  void flag(ascend::Pipe From, ascend::Pipe To);

  const targets::Arch &Arch;

private:
  void branch(mlir::Value Condition, Branch Then, Branch Else);

  mlir::RewriterBase &Builder;
  mlir::Location Loc;
  analysis::FactsAt Around;
};

/// The event of pairs with the scalar unit that nests use inside; placement
/// leaves it to them.
unsigned nestEvent(const targets::Arch &Arch);

} // namespace belay::passes

#endif // BELAY_PASSES_EXPAND_NEST_H
