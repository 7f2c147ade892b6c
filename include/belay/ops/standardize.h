//===- ops/standardize.h - Normalized convolutions --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Volumes y[n][output][plane][row][col] of which some outputs are one core's,
// which makes them, adds them up, and normalizes them in further passes: over
// the batch, over an image, or over an image and several outputs together.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_STANDARDIZE_H
#define BELAY_OPS_STANDARDIZE_H

#include "belay/ops/volumes.h"

namespace belay::ops {

/// Calls f with every tile of the lines of one image: a view of outputs by
/// columns, plane, row, and columns.
template <i64 N, Role Y, class T, i64... Ys, class F>
void each_line(View<Y, T, Ys...> y, i64 image, F f) {
  for (i64 d = 0; d < y.extent(2); ++d)
    for (i64 h = 0; h < y.extent(3); ++h)
      for (auto c : tiles<N>(y.extent(4)))
        f(slice<1>(slice<1>(y[image], d), h), d, h, c);
}

/// The mean of outputs over images `from` to `to`, which make(line, image,
/// plane, row, columns) stores and adds up along rows. If outputs are taken
/// together, all have the same.
template <bool Together, i64 N, i64 M, Role Y, i64... Ys, class F>
Col<M, float> make_mean(View<Y, float, Ys...> y, Span<M> outputs, i64 from,
                        i64 to, float part, F make) {
  auto total = column<float>(outputs, 0.0f);
  for (i64 n = from; n < to; ++n)
    each_line<N>(y, n, [&](auto line, i64 d, i64 h, auto c) {
      total = total + make(line, n, d, h, c);
    });
  if constexpr (Together)
    return column<float>(outputs, sum(total) * part);
  else
    return total * part;
}

/// One over the standard deviation of what is stored, around a mean.
template <bool Together, i64 N, i64 M, Role Y, i64... Ys>
Col<M, float> inverse_deviation(View<Y, float, Ys...> y, Span<M> outputs,
                                i64 from, i64 to, float part,
                                const Col<M, float> &mean, float eps) {
  auto total = column<float>(outputs, 0.0f);
  for (i64 n = from; n < to; ++n)
    each_line<N>(y, n, [&](auto line, i64, i64, auto c) {
      auto off = load(line, outputs, c) - mean;
      total = total + row_sum(off * off);
    });
  if constexpr (Together)
    return 1.0f / sqrt(column<float>(outputs, sum(total) * part) + eps);
  else
    return 1.0f / sqrt(total * part + eps);
}

/// Makes outputs, and replaces each by finish of what it is without its mean,
/// divided by the standard deviation.
template <bool Together, i64 N, i64 M, Role Y, i64... Ys, class F, class G>
void standardize_lines(View<Y, float, Ys...> y, Span<M> outputs, i64 from,
                       i64 to, float eps, F make, G finish) {
  float places = float(y.extent(2)) * float(y.extent(3)) * float(y.extent(4)) *
                 float(to - from);
  float part = 1.0f / (Together ? places * float(outputs.size) : places);
  auto mean = make_mean<Together, N>(y, outputs, from, to, part, make);
  auto scale =
      inverse_deviation<Together, N>(y, outputs, from, to, part, mean, eps);
  for (i64 n = from; n < to; ++n)
    each_line<N>(y, n, [&](auto line, i64, i64, auto c) {
      store(line, outputs, c, finish((load(line, outputs, c) - mean) * scale));
    });
}

} // namespace belay::ops

#endif // BELAY_OPS_STANDARDIZE_H
