//===- ops/losses.h - Losses element by element -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes tiles of float and returns the loss of each element.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_LOSSES_H
#define BELAY_OPS_LOSSES_H

#include "belay/kernel.h"

namespace belay::ops {

/// Quadratic up to delta, linear beyond it; smooth_l1 of PyTorch has delta 1.
template <i64 R, i64 C>
Tile<R, C, float> huber(const Tile<R, C, float> &difference, float delta) {
  auto d = abs(difference);
  return select(d < delta, d * d * 0.5f, (d - delta * 0.5f) * delta);
}

/// target * log(target / input), 0 where the target is 0.
template <i64 R, i64 C>
Tile<R, C, float> kl_divergence(const Tile<R, C, float> &input,
                                const Tile<R, C, float> &target) {
  auto entropy = select(target > 0.0f, target * log(target), 0.0f);
  return entropy - target * log(input);
}

/// -(target * log(sigmoid(x)) + (1 - target) * log(1 - sigmoid(x))), without
/// overflow.
template <i64 R, i64 C>
Tile<R, C, float> binary_cross_entropy(const Tile<R, C, float> &logits,
                                       const Tile<R, C, float> &target) {
  return max(logits, 0.0f) - logits * target + log(exp(-abs(logits)) + 1.0f);
}

} // namespace belay::ops

#endif // BELAY_OPS_LOSSES_H
