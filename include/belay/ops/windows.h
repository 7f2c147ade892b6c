//===- ops/windows.h - Outputs that see a window of columns -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pooling with strides and resizing: every output column is a reduction of some
// columns of the input. Nothing is gathered: columns outside of the window are
// masked, the rest is reduced along rows, and the result is put into its
// column. Rows of a tile are planes, so that they share all that depends on the
// position.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_WINDOWS_H
#define BELAY_OPS_WINDOWS_H

#include "belay/kernel.h"

namespace belay::ops {

/// How many planes of W columns to take at once, so that what a kernel needs
/// fits.
constexpr i64 planes_for(i64 w) { return w <= 64 ? 32 : w <= 128 ? 16 : 8; }

/// The number of each column, in every row of a tile with the extents of t.
template <i64 R, i64 C>
Tile<R, C, float> column_numbers(const Tile<R, C, float> &t) {
  return full_like(t, 0.0f) + cast<float>(iota<C, i32>());
}

/// A tile of which f(c), a column, is column c.
template <i64 OC, i64 R, class F>
Tile<R, OC, float> from_columns(Span<R> rows, F f) {
  auto out = zeros<float>(rows, span<OC>(0, OC));
  auto numbers = column_numbers(out);
  for (i64 c = 0; c < OC; ++c)
    out = select(numbers == float(c), full_like(out, 0.0f) + f(c), out);
  return out;
}

/// Stores OC columns, of which f(c) is column c, from column `begin` on: in
/// parts of 32, so that putting a column into its place costs the same however
/// many there are.
template <i64 OC, Role Y, class T, i64 D0, i64 D1, i64 R, class F>
void store_columns(View<Y, T, D0, D1> y, Span<R> rows, i64 begin, F f) {
  constexpr i64 part = OC < 32 ? OC : 32;
  for (auto c : tiles<part>(OC)) {
    auto out = from_columns<part>(
        rows, [&](i64 k) { return f(min(c.begin + k, OC - 1)); });
    store(y, rows, span<part>(begin + c.begin, c.size), cast<T>(out));
  }
}

/// t in one column, 0 elsewhere.
template <i64 R, i64 C>
Tile<R, C, float> only(const Tile<R, C, float> &t,
                       const Tile<R, C, float> &numbers, i64 column) {
  return select(numbers == float(column), t, 0.0f);
}

/// t from one column to another, `outside` elsewhere.
template <i64 R, i64 C>
Tile<R, C, float> between(const Tile<R, C, float> &t,
                          const Tile<R, C, float> &numbers, i64 first, i64 last,
                          float outside) {
  return select((numbers >= float(first)) & (numbers <= float(last)), t,
                outside);
}

/// Where output o of n lies among m inputs, in units of 1 / (2 n), when the
/// outer edges of both coincide (align_corners = false).
inline i64 source_of(i64 o, i64 m, i64 n) { return (2 * o + 1) * m - n; }

/// Keys' cubic convolution with a = -0.75, for distances d and 1 + d with d
/// below 1; as products, so that nothing cancels where it is small.
inline float cubic_near(float d) {
  return ((1.25f * d) - 2.25f) * d * d + 1.0f;
}
inline float cubic_far(float d) { return -0.75f * d * (1.0f - d) * (1.0f - d); }

} // namespace belay::ops

#endif // BELAY_OPS_WINDOWS_H
