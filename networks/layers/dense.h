//===- dense.h - Layers of rows, and what all networks need -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_NETWORKS_LAYERS_DENSE_H
#define BELAY_NETWORKS_LAYERS_DENSE_H

#include "../network.h"

#include "add_float.h"
#include "concat_columns_float.h"
#include "linear_float_32_48_64.h"
#include "relu_of_float_8192.h"
#include "tanh_of_float.h"

namespace networks {

namespace kernels = belay::kernels;

inline Array zeros(Shape shape) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  return {std::move(shape), std::vector<float>(count)};
}

/// A function of each element.
template <typename Launcher> Value map(Network &net, const Value &x) {
  Value flat = x.reshaped({-1}), y = net.make({flat.count()});
  net.launch<Launcher>(flat.in(), y.out());
  return y.reshaped(x.shape());
}
inline Value relu(Network &net, const Value &x) {
  return map<kernels::relu_of_float_8192>(net, x);
}
inline Value tanh(Network &net, const Value &x) {
  return map<kernels::tanh_of_float>(net, x);
}

inline Value add(Network &net, const Value &a, const Value &b) {
  Value y = net.make({a.count()});
  net.launch<kernels::add_float>(a.reshaped({-1}).in(), b.reshaped({-1}).in(),
                                 y.out());
  return y.reshaped(a.shape());
}

/// The bias of a layer, or zeros.
inline const Value &bias_of(Network &net, const std::string &layer,
                            Shape shape) {
  return net.prepared(layer + ".bias as numbers", [&] {
    if (!net.has(layer + ".bias"))
      return zeros(shape);
    return Array{shape, net.host_array(layer + ".bias").values};
  });
}

/// x times transposed weights, plus bias, over the last dimension.
inline Value linear(Network &net, const Value &x, const Value &weights,
                    const Value &bias) {
  Value rows = x.reshaped({-1, weights.extent(1)});
  Value y = net.make({rows.extent(0), weights.extent(0)});
  net.launch<kernels::linear_float_32_48_64>(rows.in(), weights.in(), bias.in(),
                                             y.out());
  Shape shape = x.shape();
  shape.back() = weights.extent(0);
  return y.reshaped(shape);
}
inline Value linear(Network &net, const Value &x, const std::string &layer) {
  const Value &weights = net.array(layer + ".weight");
  return linear(net, x, weights, bias_of(net, layer, {weights.extent(0)}));
}

/// Side by side in the second dimension, which is that of channels.
inline Value concat(Network &net, const Value &a, const Value &b) {
  Shape shape = a.shape();
  shape[1] += b.extent(1);
  Value y = net.make({shape[0], count_of(shape) / shape[0]});
  net.launch<kernels::concat_columns_float>(a.reshaped({shape[0], -1}).in(),
                                            b.reshaped({shape[0], -1}).in(),
                                            y.out());
  return y.reshaped(shape);
}

/// One row for each of the batch.
inline Value flat(const Value &x) { return x.reshaped({x.extent(0), -1}); }

} // namespace networks

#endif // BELAY_NETWORKS_LAYERS_DENSE_H
