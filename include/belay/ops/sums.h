//===- ops/sums.h - Sums over all cores -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of whole tensors: each core adds up its tiles lane by lane, the first
// core adds up what the cores have. Kernels that use them expect that there are
// at most max_cores cores.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_SUMS_H
#define BELAY_OPS_SUMS_H

#include "belay/kernel.h"

namespace belay::ops {

/// This core's share of the sum over 0 to n of what f makes of a span: a row of
/// float.
template <i64 N, class F> float sum_mine(i64 n, F f) {
  i64 whole = n / N;
  auto lanes = zeros<1, N, float>();
  for (i64 i = core_index(); i < whole; i += core_count())
    lanes = lanes + f(span<N>(i * N, N));
  float total = sum(lanes);
  if (whole % core_count() == core_index() && whole * N < n)
    total += sum(f(span<N>(whole * N, n - whole * N)));
  return total;
}

/// The sum of what all cores have, for all of them to see.
inline float sum_cores(PerCore<float> part, float mine) {
  store_mine(part, mine);
  sync_cores();
  return sum(load_all(part));
}

/// Stores the scaled sum of what all cores have.
inline void store_sum(Out<float, 1> out, PerCore<float> part, float mine,
                      float scale) {
  float total = sum_cores(part, mine);
  if (first_core())
    store(out, 0, total * scale);
}

} // namespace belay::ops

#endif // BELAY_OPS_SUMS_H
