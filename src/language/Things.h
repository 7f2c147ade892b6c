//===- Things.h - What a C++ expression of a kernel is ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LANGUAGE_THINGS_H
#define BELAY_LANGUAGE_THINGS_H

#include "mlir/IR/Value.h"
#include "clang/AST/Expr.h"

namespace belay::language {

/// The meaning of an expression or variable: some values of the IR, by kind.
///
///   Scalar  the value
///   Tile    the tensor
///   View    the memref
///   Span    where it begins, how many
///   Window  the memref, the span of rows, the span of columns
///   Closure no values: a lambda, which is read where it is called
struct Thing {
  enum class Kind { None, Void, Scalar, Tile, View, Span, Window, Closure };

  Kind TheKind = Kind::None;
  llvm::SmallVector<mlir::Value, 5> Values;
  const clang::LambdaExpr *Lambda = nullptr;

  static Thing nothing() { return {}; }
  static Thing empty() { return {Kind::Void, {}, nullptr}; }
  static Thing scalar(mlir::Value V) { return {Kind::Scalar, {V}, nullptr}; }
  static Thing tile(mlir::Value V) { return {Kind::Tile, {V}, nullptr}; }
  static Thing view(mlir::Value V) { return {Kind::View, {V}, nullptr}; }
  static Thing span(mlir::Value Begin, mlir::Value Size) {
    return {Kind::Span, {Begin, Size}, nullptr};
  }
  static Thing window(mlir::Value View, const Thing &Rows, const Thing &Cols) {
    return {
        Kind::Window,
        {View, Rows.Values[0], Rows.Values[1], Cols.Values[0], Cols.Values[1]},
        nullptr};
  }
  static Thing closure(const clang::LambdaExpr *Lambda) {
    return {Kind::Closure, {}, Lambda};
  }

  /// False after an error, which has been reported.
  explicit operator bool() const { return TheKind != Kind::None; }
  bool is(Kind K) const { return TheKind == K; }
  mlir::Value value() const { return Values.front(); }
  Thing rowSpan() const { return span(Values[1], Values[2]); }
  Thing colSpan() const { return span(Values[3], Values[4]); }
};

} // namespace belay::language

#endif // BELAY_LANGUAGE_THINGS_H
