//===- ops/sampling.h - Planes between their elements -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plane of h rows of W columns is a row of h * W elements in the unified
// buffer, or some parts of it one after the other. Positions are floats, in
// units of columns and of rows: (0, 0) is the first element.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_SAMPLING_H
#define BELAY_OPS_SAMPLING_H

#include "belay/kernel.h"

namespace belay::ops {

/// Where -1 to 1, the outer edges of a plane, lie among n elements.
template <i64 K> Row<K, float> position_of(const Row<K, float> &g, float n) {
  return (g * n + (n - 1.0f)) * 0.5f;
}

/// The elements at whole positions, 0 outside of the plane. Of a plane in parts
/// `part` holds those from `first` on; what is in another one is 0 as well.
template <i64 W, i64 B, i64 K, class T>
Row<K, float> elements_at(const Row<B, T> &part, i64 first, i64 h,
                          const Row<K, float> &x, const Row<K, float> &y) {
  auto inside =
      (x >= 0.0f) & (x <= float(W - 1)) & (y >= 0.0f) & (y <= float(h - 1));
  auto place = select(inside, y * float(W) + x - float(first), -1.0f);
  return cast<float>(gather<Oob::zero>(part, cast<i32>(place)));
}

/// Bilinear interpolation between the four neighbours of each position;
/// `at(x, y)` are the values at whole ones.
template <i64 K, class F>
Row<K, float> bilinear(const Row<K, float> &x, const Row<K, float> &y, F at) {
  auto left = cast<float>(cast<i32, Round::floor>(x)),
       above = cast<float>(cast<i32, Round::floor>(y));
  auto right = left + 1.0f, below = above + 1.0f;
  auto along = x - left, down = y - above;
  auto upper = at(left, above) * (1.0f - along) + at(right, above) * along;
  auto lower = at(left, below) * (1.0f - along) + at(right, below) * along;
  return upper * (1.0f - down) + lower * down;
}

/// Rows and columns of the outputs of a span, for rows of OW.
template <i64 OW, i64 K> Row<K, float> output_row(const Span<K> &o) {
  auto at = cast<float>(col_index<i32>(o));
  return cast<float>(cast<i32, Round::floor>((at + 0.5f) * (1.0f / float(OW))));
}
template <i64 OW, i64 K>
Row<K, float> output_column(const Span<K> &o, const Row<K, float> &row) {
  return cast<float>(col_index<i32>(o)) - row * float(OW);
}

/// The largest whole number of steps below each position, at most `last`; and
/// how much of a step is left, at most one. Where rounding makes the first one
/// too large or too small, the second one makes up for it.
template <i64 K>
Row<K, float> whole_below(const Row<K, float> &at, float step, float last) {
  auto steps = cast<i32, Round::floor>(at * (1.0f / step));
  return min(cast<float>(steps), last);
}
template <i64 K>
Row<K, float> rest_of(const Row<K, float> &at, const Row<K, float> &whole,
                      float step) {
  return min((at - whole * step) * (1.0f / step), 1.0f);
}

/// About n elements as rows of w, and at least some.
constexpr i64 whole_rows(i64 n, i64 w, i64 least) {
  return (n / w < least ? least : n / w) * w;
}

} // namespace belay::ops

#endif // BELAY_OPS_SAMPLING_H
