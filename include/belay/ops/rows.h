//===- ops/rows.h - Rows of any length --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed of a whole row that may be longer than the unified buffer. A
// row is a view of rank 1, read in tiles of N columns as float. Results are
// combined lane by lane and across lanes once at the end, so that the vector
// unit does not wait for the scalar unit within a row. Lanes start from the
// short tile that is left when whole ones are taken away, filled up with what
// changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_ROWS_H
#define BELAY_OPS_ROWS_H

#include "belay/kernel.h"

namespace belay::ops {

inline constexpr float infinity = __builtin_inff();
/// The lowest finite float: maxima that are at least that have differences.
inline constexpr float lowest = -3.4028234663852886e38f;

/// What is left of a row of whole tiles of N, filled up with `pad`.
template <i64 N, Role Rl, class T, i64 D>
Row<N, float> rest_of(View<Rl, T, D> x, float pad) {
  i64 whole = x.size() / N * N;
  return cast<float>(load(x, span<N>(whole, x.size() - whole), T(pad)));
}

/// Calls f with each whole tile of N of a row.
template <i64 N, Role Rl, class T, i64 D, class F>
void whole_tiles(View<Rl, T, D> x, F f) {
  for (i64 i = 0; i < x.size() / N; ++i)
    f(cast<float>(load(x, span<N>(i * N, N))));
}

/// The sum of f(x) over a row; f(0) has to be 0.
template <i64 N, Role Rl, class T, i64 D, class F>
float sum_over(View<Rl, T, D> x, F f) {
  auto lanes = f(rest_of<N>(x, 0.0f));
  whole_tiles<N>(x, [&](const auto &t) { lanes = lanes + f(t); });
  return sum(lanes);
}
template <i64 N, Role Rl, class T, i64 D> float sum_over(View<Rl, T, D> x) {
  return sum_over<N>(x, [](const auto &t) { return copy(t); });
}

/// The largest and the smallest element of a row; -inf and inf if it is empty.
template <i64 N, Role Rl, class T, i64 D> float max_over(View<Rl, T, D> x) {
  auto lanes = rest_of<N>(x, -infinity);
  whole_tiles<N>(x, [&](const auto &t) { lanes = max(lanes, t); });
  return maximum(lanes);
}
template <i64 N, Role Rl, class T, i64 D> float min_over(View<Rl, T, D> x) {
  auto lanes = rest_of<N>(x, infinity);
  whole_tiles<N>(x, [&](const auto &t) { lanes = min(lanes, t); });
  return minimum(lanes);
}

/// The largest element of a row, and sum(exp(x - top)). The row is read once:
/// every lane has its own maximum and a sum relative to it (online softmax).
/// The two stay apart, because adding log(total) to a large top would round it
/// away.
template <i64 N, Role Rl, class T, i64 D>
void softmax_over(View<Rl, T, D> x, float &top, float &total) {
  auto rest = rest_of<N>(x, -infinity);
  auto most = max(rest, lowest);
  auto sums = exp(rest - most);
  whole_tiles<N>(x, [&](const auto &t) {
    auto m = max(most, t);
    sums = sums * exp(most - m) + exp(t - m);
    most = copy(m);
  });
  top = maximum(most);
  total = sum(sums * exp(most - top));
}

} // namespace belay::ops

#endif // BELAY_OPS_ROWS_H
