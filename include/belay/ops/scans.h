//===- ops/scans.h - Prefix reductions along rows ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scans along the last dimension, many rows at a time: a column of a tile is
// taken out by a mask, combined with what the rows have so far, and put into
// its place. That is some ten vector instructions for a column of R elements,
// and no element is touched by the scalar unit.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_SCANS_H
#define BELAY_OPS_SCANS_H

#include "belay/kernel.h"
#include "belay/ops/windows.h"

namespace belay::ops {

/// Column c of the result is f(... f(f(run, column 0), column 1) ..., column
/// c); `run` becomes what the last column is.
template <i64 R, i64 C, class F>
Tile<R, C, float> scan_columns(const Tile<R, C, float> &t, Col<R, float> &run,
                               F f) {
  auto numbers = column_numbers(t);
  return from_columns<C>(span<R>(0, R), [&](i64 c) {
    run = f(run, row_sum(only(t, numbers, c)));
    return copy(run);
  });
}

} // namespace belay::ops

#endif // BELAY_OPS_SCANS_H
