//===- ops/broadcast.h - Operands that repeat -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise functions of operands of which one repeats along a dimension.
// They compute in float whatever the elements are, and round once.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_BROADCAST_H
#define BELAY_OPS_BROADCAST_H

#include "belay/kernel.h"

namespace belay::ops {

/// y[r][c] = f(x[r][c], row[c]).
template <i64 R = 8, i64 C = 512, Role X, Role B, Role Y, class T, i64... Xs,
          i64 Bs, i64... Ys, class F>
void map_rows(View<X, T, Xs...> x, View<B, T, Bs> row, View<Y, T, Ys...> y,
              F f) {
  for (auto w : my_tiles<R, C>(y))
    store(w,
          cast<T>(f(cast<float>(load(x, w)), cast<float>(load(row, w.col())))));
}

/// y[n][r][c] = f(x[n][r][c], column[r]).
template <i64 R = 8, i64 C = 512, Role X, Role B, Role Y, class T, i64... Xs,
          i64 Bs, i64... Ys, class F>
void map_channels(View<X, T, Xs...> x, View<B, T, Bs> column,
                  View<Y, T, Ys...> y, F f) {
  for (i64 n = 0; n < y.extent(0); ++n)
    for (auto w : my_tiles<R, C>(y[n]))
      store(w, cast<T>(f(cast<float>(load(x[n], w)),
                         cast<float>(load(column, w)))));
}

} // namespace belay::ops

#endif // BELAY_OPS_BROADCAST_H
