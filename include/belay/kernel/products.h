//===- products.h - Products of matrices ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_PRODUCTS_H
#define BELAY_KERNEL_PRODUCTS_H

#include "belay/kernel/elementwise.h"

namespace belay {
namespace detail {

/// What products of T are added up in.
template <class T> using dot_sum = std::conditional_t<is_float<T>, float, i32>;

} // namespace detail

/// What dot multiplies.
template <class T>
concept multiplied = floating<T> || std::is_same_v<T, i8>;

/// The product of two matrices. Sums are float, or i32 for i8, in any order.
template <i64 M, i64 K, i64 N, multiplied T>
BELAY_OP("dot")
Tile<M, N, detail::dot_sum<T>> dot(const Tile<M, K, T> &a,
                                   const Tile<K, N, T> &b) {
  using Sum = detail::dot_sum<T>;
  detail::require(
      a.cols() == b.rows(),
      "the left matrix has not as many columns as the right one has "
      "rows");
  return Tile<M, N, Sum>::twin_make(a.rows(), b.cols(), [&](i64 r, i64 c) {
    Sum sum = 0;
    for (i64 k = 0; k < a.cols(); ++k)
      sum += Sum(a.twin_at(r, k)) * Sum(b.twin_at(k, c));
    return sum;
  });
}

/// Adds to a tile: rows, columns and numbers meet it as in a sum.
template <i64 R, i64 C, i64 S, i64 D, number T>
  requires((S == R || S == 1) && (D == C || D == 1))
void operator+=(Tile<R, C, T> &a, const Tile<S, D, T> &b) {
  a = a + b;
}

} // namespace belay

#endif // BELAY_KERNEL_PRODUCTS_H
