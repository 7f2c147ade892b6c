//===- tokens.h - Layers of rows that are parts of an image -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_NETWORKS_LAYERS_TOKENS_H
#define BELAY_NETWORKS_LAYERS_TOKENS_H

#include "dense.h"
#include "order.h"

#include "layer_norm_float_4096.h"

namespace networks {

inline Value layer_norm(Network &net, const Value &x,
                        const std::string &layer) {
  Value rows = x.reshaped({-1, x.shape().back()}), y = net.make(rows.shape());
  net.launch<kernels::layer_norm_float_4096>(
      rows.in(), net.array(layer + ".weight").in(),
      net.array(layer + ".bias").in(), y.out(), 1e-5f);
  return y.reshaped(x.shape());
}

/// Squares of an image as rows: [batch, squares, channels * size * size].
inline Value patches(Network &net, const Value &image, int64_t size) {
  const int64_t batch = image.extent(0), channels = image.extent(1),
                down = image.extent(2) / size, across = image.extent(3) / size;
  // [b, c, down, size, across, size]: first sizes next to each other.
  Value x = swapped(
      net, image.reshaped({batch * channels * down, size, across, size}));
  // [b, c, squares, size * size]: then channels into the squares.
  return swapped(net, x.reshaped({batch, channels, down * across, size * size}))
      .reshaped({batch, down * across, channels * size * size});
}

/// A convolution that does not overlap is a product of squares:
/// [batch, squares, filters].
inline Value embedded(Network &net, const Value &image,
                      const std::string &layer) {
  const Array &filters = net.host_array(layer + ".weight");
  const Value rows =
      net.array(layer + ".weight").reshaped({filters.shape[0], -1});
  return linear(net, patches(net, image, filters.shape[2]), rows,
                net.array(layer + ".bias"));
}

} // namespace networks

#endif // BELAY_NETWORKS_LAYERS_TOKENS_H
