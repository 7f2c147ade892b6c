//===- ops/normalize.h - Rows that are normalized on chip -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normalizations of tiles whose rows are whole. Rows longer than the unified
// buffer are normalized with what moments.h computes of them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_NORMALIZE_H
#define BELAY_OPS_NORMALIZE_H

#include "belay/kernel.h"

namespace belay::ops {

/// Each row without its mean, divided by its standard deviation.
template <i64 R, i64 C>
Tile<R, C, float> standardize(const Tile<R, C, float> &t, float eps) {
  auto d = t - row_mean(t);
  return d / sqrt(row_mean(d * d) + eps);
}

/// Layer normalization: standardized rows, then a scale and a shift by column.
template <i64 R, i64 C>
Tile<R, C, float> layer_norm(const Tile<R, C, float> &t,
                             const Row<C, float> &gamma,
                             const Row<C, float> &beta, float eps) {
  return standardize(t, eps) * gamma + beta;
}

/// Each row divided by its root mean square, then a scale by column.
template <i64 R, i64 C>
Tile<R, C, float> rms_norm(const Tile<R, C, float> &t,
                           const Row<C, float> &gamma, float eps) {
  return t / sqrt(row_mean(t * t) + eps) * gamma;
}

} // namespace belay::ops

#endif // BELAY_OPS_NORMALIZE_H
