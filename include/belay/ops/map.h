//===- ops/map.h - Element by element ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that compute one element from one element of each operand. They
// compute in float whatever the elements are, and round once.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_MAP_H
#define BELAY_OPS_MAP_H

#include "belay/kernel.h"

namespace belay::ops {

/// y[i] = f(x[i]); f takes and returns tiles of float.
template <i64 N = 4096, Role X, Role Y, class T, class U, i64 D, i64 E, class F>
void map(View<X, T, D> x, View<Y, U, E> y, F f) {
  for (auto w : my_tiles<N>(y))
    store(w, cast<U>(f(cast<float>(load(x, w)))));
}

/// z[i] = f(x[i], y[i]).
template <i64 N = 4096, Role X, Role Y, Role Z, class T, class U, class V,
          i64 D, i64 E, i64 G, class F>
void map(View<X, T, D> x, View<Y, U, E> y, View<Z, V, G> z, F f) {
  for (auto w : my_tiles<N>(z))
    store(w, cast<V>(f(cast<float>(load(x, w)), cast<float>(load(y, w)))));
}

/// y[r][i] = f(a, b), where a is element i of the first half of row r of x, and
/// b that of the second half.
template <i64 N = 2048, Role X, Role Y, class T, class U, class F>
void map_halves(View<X, T, dyn, dyn> x, View<Y, U, dyn, dyn> y, F f) {
  for (auto w : my_tiles<1, N>(y)) {
    auto row = x[w.row().begin];
    auto second = span<N>(w.col().begin + y.cols(), w.col().size);
    store(w, cast<U>(f(cast<float>(load(row, w.col())),
                       cast<float>(load(row, second)))));
  }
}

} // namespace belay::ops

#endif // BELAY_OPS_MAP_H
