//===- ops/moments.h - Means and variances ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Means and sums of squared differences from them, by Welford's method: one
// pass, no cancellation. Every lane has a mean of its own; lanes are combined
// at the end, and so are rows whose elements are not side by side (Chan et
// al.).
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_MOMENTS_H
#define BELAY_OPS_MOMENTS_H

#include "belay/kernel.h"
#include "belay/ops/numbers.h"

namespace belay::ops {

/// Adds n elements with a mean and a sum of squares to others that have one.
inline void combine(float &count, float &mean, float &squares, float n,
                    float its_mean, float its_squares) {
  float all = count + n, d = its_mean - mean;
  if (all > 0.0f) {
    mean += d * (n / all);
    squares += its_squares + d * d * (count * (n / all));
  }
  count = all;
}

/// Adds a row of any length, read once. What is left of its mean when a first
/// one, which was rounded, is taken away corrects it.
template <i64 N, Role Rl, class T, i64 D>
void add_moments(View<Rl, T, D> x, float &count, float &mean, float &squares) {
  i64 whole = x.size() / N, rest = x.size() - whole * N;
  if (whole > 0) {
    auto means = zeros<1, N, float>(), sums = zeros<1, N, float>();
    for (i64 i = 0; i < whole; ++i) {
      auto t = cast<float>(load(x, span<N>(i * N, N)));
      auto d = t - means;
      means = means + d * (1.0f / float(i + 1));
      sums = sums + d * (t - means);
    }
    float n = float(whole * N), m = sum(means) * (1.0f / N);
    auto d = means - m;
    float off = sum(d) * (1.0f / N);
    combine(count, mean, squares, n, m + off,
            sum(d * d * float(whole) + sums) - off * off * n);
  }
  if (rest > 0) {
    auto t = cast<float>(load(x, span<N>(whole * N, rest)));
    float n = float(rest), m = sum(t) / n;
    auto d = t - m;
    float off = sum(d) / n;
    combine(count, mean, squares, n, m + off, sum(d * d) - off * off * n);
  }
}

} // namespace belay::ops

#endif // BELAY_OPS_MOMENTS_H
