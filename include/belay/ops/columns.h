//===- ops/columns.h - Along a dimension that is not the last ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions and scans of x[b][m][n] over m: rows are combined element by
// element, so that every lane has a column of its own.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_COLUMNS_H
#define BELAY_OPS_COLUMNS_H

#include "belay/kernel.h"

namespace belay::ops {

/// y[b][n] = finish(f(... f(f(start, x[b][0][n]), x[b][1][n]) ...)); f combines
/// a row of float with rows that it is given.
template <i64 C = 2048, Role X, Role Y, class T, class U, i64... Xs, i64... Ys,
          class F, class G>
void fold_rows(View<X, T, Xs...> x, View<Y, U, Ys...> y, float start, F f,
               G finish) {
  for (auto w : my_tiles<1, C>(y)) {
    auto rows = x[w.row().begin];
    auto acc = full<float>(w, start);
    for (i64 m = 0; m < x.extent(1); ++m)
      acc = f(acc, cast<float>(load(rows[m], w.col())));
    store(w, cast<U>(finish(acc)));
  }
}

/// The same for what combines many rows at once: g turns R rows into one.
template <i64 R = 16, i64 C = 512, Role X, Role Y, class T, class U, i64... Xs,
          i64... Ys, class F, class G, class H>
void fold_tiles(View<X, T, Xs...> x, View<Y, U, Ys...> y, float start, F f, G g,
                H finish) {
  for (auto w : my_tiles<1, C>(y)) {
    auto rows = x[w.row().begin];
    auto acc = full<float>(w, start);
    for (auto m : tiles<R>(x.extent(1)))
      acc = f(acc, g(cast<float>(load(rows, m, w.col()))));
    store(w, cast<U>(finish(acc)));
  }
}

/// y[b][m][n] = f(y[b][m - 1][n], x[b][m][n]), and f(start, x[b][0][n]) first.
template <i64 C = 2048, Role X, Role Y, class T, i64... Xs, i64... Ys, class F>
void scan_rows(View<X, T, Xs...> x, View<Y, T, Ys...> y, float start, F f) {
  for (i64 b = 0; b < y.extent(0); ++b)
    for (auto c : my_spans<C>(y.extent(2))) {
      auto acc = full<float>(span<1>(0, 1), c, start);
      for (i64 m = 0; m < y.extent(1); ++m) {
        acc = f(acc, cast<float>(load(x[b][m], c)));
        store(y[b][m], c, cast<T>(acc));
      }
    }
}

} // namespace belay::ops

#endif // BELAY_OPS_COLUMNS_H
