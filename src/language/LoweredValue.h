//===- LoweredValue.h - What a C++ expression becomes -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_LOWEREDVALUE_H
#define BELAY_LANGUAGE_LOWEREDVALUE_H

#include "mlir/IR/Value.h"
#include "clang/AST/Expr.h"

namespace belay::language {

/// The meaning of an expression or variable: some values of the IR, by kind.
///
///   Scalar  the value
///   Tile    the tensor
///   View    the memref
///   Span    where it begins, how many
///   Window  the memref of its plane, the span of rows, the span of columns,
///           which part it is of, which plane it is in: a number for each
///           dimension of planes
///   Closure no values: a lambda, which is read where it is called
struct LoweredValue {
  enum class Kind { None, Void, Scalar, Tile, View, Span, Window, Closure };

  Kind TheKind = Kind::None;
  llvm::SmallVector<mlir::Value, 6> Values;
  const clang::LambdaExpr *Lambda = nullptr;

  static LoweredValue nothing() { return {}; }
  static LoweredValue empty() { return {Kind::Void, {}, nullptr}; }
  static LoweredValue scalar(mlir::Value V) {
    return {Kind::Scalar, {V}, nullptr};
  }
  static LoweredValue tile(mlir::Value V) { return {Kind::Tile, {V}, nullptr}; }
  static LoweredValue view(mlir::Value V) { return {Kind::View, {V}, nullptr}; }
  static LoweredValue span(mlir::Value Begin, mlir::Value Size) {
    return {Kind::Span, {Begin, Size}, nullptr};
  }
  static LoweredValue window(mlir::Value View, const LoweredValue &Rows,
                             const LoweredValue &Cols, mlir::Value Part,
                             llvm::ArrayRef<mlir::Value> Planes = {}) {
    LoweredValue Result{Kind::Window,
                        {View, Rows.Values[0], Rows.Values[1], Cols.Values[0],
                         Cols.Values[1], Part},
                        nullptr};
    llvm::append_range(Result.Values, Planes);
    return Result;
  }
  static LoweredValue closure(const clang::LambdaExpr *Lambda) {
    return {Kind::Closure, {}, Lambda};
  }

  /// False after an error, which has been reported.
  explicit operator bool() const { return TheKind != Kind::None; }
  bool is(Kind K) const { return TheKind == K; }
  mlir::Value value() const { return Values.front(); }
  LoweredValue rowSpan() const { return span(Values[1], Values[2]); }
  LoweredValue colSpan() const { return span(Values[3], Values[4]); }
  mlir::Value part() const { return Values[5]; }
  llvm::ArrayRef<mlir::Value> planes() const {
    return llvm::ArrayRef(Values).drop_front(6);
  }
};

} // namespace belay::language

#endif // BELAY_LANGUAGE_LOWEREDVALUE_H
