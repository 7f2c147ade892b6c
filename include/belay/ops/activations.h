//===- ops/activations.h - Activation functions of tiles --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes a tile of float and returns one of the same extents. NaN stays
// NaN. Errors are those of a few roundings in float, relative to the largest
// value that is added up: where 1 is subtracted from something near 1, that is
// 2^-23.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_ACTIVATIONS_H
#define BELAY_OPS_ACTIVATIONS_H

#include "belay/kernel.h"

namespace belay::ops {

/// x where it is positive, alpha * (exp(x) - 1) elsewhere.
template <i64 R, i64 C>
Tile<R, C, float> elu(const Tile<R, C, float> &t, float alpha = 1.0f) {
  return select(t > 0.0f, t, (exp(t) - 1.0f) * alpha);
}

/// elu with the constants that keep mean and variance.
template <i64 R, i64 C> Tile<R, C, float> selu(const Tile<R, C, float> &t) {
  constexpr float scale = 1.0507009873554805f, alpha = 1.6732632423543772f;
  return select(t > 0.0f, t * scale, (exp(t) - 1.0f) * (scale * alpha));
}

/// elu whose derivative is continuous for every alpha.
template <i64 R, i64 C>
Tile<R, C, float> celu(const Tile<R, C, float> &t, float alpha) {
  return select(t > 0.0f, t, (exp(t / alpha) - 1.0f) * alpha);
}

/// x * P(X < x) of a normal variable X, by the error function.
template <i64 R, i64 C> Tile<R, C, float> gelu(const Tile<R, C, float> &t) {
  return t * 0.5f * (erf(t * 0.70710678f) + 1.0f);
}

/// The same approximated by the hyperbolic tangent.
template <i64 R, i64 C>
Tile<R, C, float> gelu_tanh(const Tile<R, C, float> &t) {
  return t * 0.5f * (tanh((t + t * t * t * 0.044715f) * 0.7978845608f) + 1.0f);
}

/// The same approximated by the logistic function.
template <i64 R, i64 C>
Tile<R, C, float> quick_gelu(const Tile<R, C, float> &t) {
  return t / (exp(t * -1.702f) + 1.0f);
}

/// x * sigmoid(x), also called SiLU.
template <i64 R, i64 C> Tile<R, C, float> swish(const Tile<R, C, float> &t) {
  return t / (exp(-t) + 1.0f);
}

/// log(1 + exp(x)), without overflow.
template <i64 R, i64 C> Tile<R, C, float> softplus(const Tile<R, C, float> &t) {
  return max(t, 0.0f) + log(exp(-abs(t)) + 1.0f);
}

/// log(sigmoid(x)), without overflow.
template <i64 R, i64 C>
Tile<R, C, float> log_sigmoid(const Tile<R, C, float> &t) {
  return min(t, 0.0f) - log(exp(-abs(t)) + 1.0f);
}

/// x * tanh(softplus(x)). With e = exp(-|x|) the tangent is a quotient of
/// polynomials of e that neither overflow nor cancel.
template <i64 R, i64 C> Tile<R, C, float> mish(const Tile<R, C, float> &t) {
  auto e = exp(-abs(t));
  auto positive = t >= 0.0f;
  auto top = select(positive, e * 2.0f + 1.0f, e * (e + 2.0f));
  auto rest = select(positive, e * e * 2.0f, full_like(e, 2.0f));
  return t * (top / (top + rest));
}

/// x / (1 + |x|).
template <i64 R, i64 C> Tile<R, C, float> softsign(const Tile<R, C, float> &t) {
  return t / (abs(t) + 1.0f);
}

/// The line through (-3, 0) and (3, 1), kept between 0 and 1.
template <i64 R, i64 C>
Tile<R, C, float> hardsigmoid(const Tile<R, C, float> &t) {
  return clamp(t + 3.0f, 0.0f, 6.0f) * (1.0f / 6);
}

/// x * hardsigmoid(x).
template <i64 R, i64 C>
Tile<R, C, float> hardswish(const Tile<R, C, float> &t) {
  return t * hardsigmoid(t);
}

/// x where it is positive, slope * x elsewhere.
template <i64 R, i64 C>
Tile<R, C, float> leaky_relu(const Tile<R, C, float> &t, float slope) {
  return select(t > 0.0f, t, t * slope);
}

/// What exceeds lambda in magnitude, moved towards 0 by lambda; 0 elsewhere.
template <i64 R, i64 C>
Tile<R, C, float> softshrink(const Tile<R, C, float> &t, float lambda) {
  return max(t - lambda, 0.0f) + min(t + lambda, 0.0f);
}

/// What exceeds lambda in magnitude; 0 elsewhere.
template <i64 R, i64 C>
Tile<R, C, float> hardshrink(const Tile<R, C, float> &t, float lambda) {
  return select(abs(t) <= lambda, full_like(t, 0.0f), t);
}

} // namespace belay::ops

#endif // BELAY_OPS_ACTIVATIONS_H
