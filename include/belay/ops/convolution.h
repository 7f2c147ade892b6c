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
/// column i * S + tap - pad, or 0 outside. Only columns that lie side by side
/// are copied as they are; with a stride, the scalar unit reads each element.
template <i64 S, i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
Tile<R, C, T> load_tap(View<Rl, T, D0, D1> lines, Span<R> rows, Span<C> outputs,
                       i64 tap, i64 pad) {
  // In steps of the stride, from the first column of that remainder on.
  i64 at = tap + pad * (S - 1);
  auto seen = strided<1>(lines, at % S, S);
  return load_or(seen, rows,
                 span<C>(outputs.begin + at / S - pad, outputs.size), T(0.0f));
}

} // namespace belay::ops

#endif // BELAY_OPS_CONVOLUTION_H
