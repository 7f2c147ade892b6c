//===- ops/convolution.h - What a tap of a filter sees ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is a sum of products, one for each tap of the filter: outputs
// by channels of the tap, times channels by the pixels that the tap sees.
// Sums may be in any order, so no image is unfolded.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_CONVOLUTION_H
#define BELAY_OPS_CONVOLUTION_H

#include "belay/kernel.h"

namespace belay::ops {

/// Of each of some lines: what output column i sees through a tap, which is
/// column i * S + tap - pad, or 0 outside. With a stride of 2, 4 or 8, columns
/// are copied with those between, which the vector unit leaves out; with other
/// strides, the scalar unit reads each element.
template <i64 S, i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
Tile<R, C, T> load_tap(View<Rl, T, D0, D1> lines, Span<R> rows, Span<C> outputs,
                       i64 tap, i64 pad) {
  // In steps of the stride, from the first column of that remainder on.
  i64 at = tap + pad * (S - 1);
  auto seen = strided<1>(lines, at % S, S);
  return load_or(seen, rows,
                 span<C>(outputs.begin + at / S - pad, outputs.size), T(0.0f));
}

/// Of a transposed convolution, where place i of the input goes to i * S + tap
/// - pad: the place that a place of the output comes from, or -1 if there is
/// none among as many as the extent says.
template <i64 S> i64 source_of(i64 place, i64 tap, i64 pad, i64 extent) {
  // A multiple of the stride if the tap falls on a place at all.
  i64 at = place + pad + tap * (S - 1), source = at / S - tap;
  return at % S == 0 && source >= 0 && source < extent ? source : -1;
}

} // namespace belay::ops

#endif // BELAY_OPS_CONVOLUTION_H
