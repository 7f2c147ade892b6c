//===- images.cpp - Layers of images --------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "images.h"

#include "batch_norm_float_4096.h"
#include "conv2d_float_11_11_4_4_32_48_32.h"
#include "conv2d_float_1_1_1_1_32_48_32.h"
#include "conv2d_float_1_1_2_2_32_48_32.h"
#include "conv2d_float_3_3_1_1_32_48_32.h"
#include "conv2d_float_3_3_2_2_32_48_32.h"
#include "conv2d_float_5_5_1_1_32_48_32.h"
#include "conv2d_float_7_7_2_2_32_48_32.h"
#include "conv_depthwise_float_2_2_2_2_16_48.h"
#include "conv_depthwise_float_3_3_1_1_16_48.h"
#include "conv_depthwise_float_3_3_2_2_16_48.h"
#include "conv_depthwise_float_5_5_1_1_16_48.h"
#include "conv_depthwise_float_5_5_2_2_16_48.h"
#include "conv_transpose2d_float_2_2_2_2_32_48_32.h"
#include "max_pool_2d_strided_float_2_2_16_128.h"
#include "max_pool_2d_strided_float_3_1_16_128.h"
#include "max_pool_2d_strided_float_3_2_16_128.h"
#include "relu6_float.h"
#include "scale_float.h"
#include "sigmoid_float.h"
#include "softmax_float_4096.h"
#include "sum_rows_float_4096.h"
#include "swap_middle_float_32_256.h"

using namespace networks;

[[noreturn]] static void no_instance(const std::string &layer, int64_t size,
                                     int64_t stride) {
  throw std::runtime_error(layer + ": no kernel was built for windows of " +
                           std::to_string(size) + " with a stride of " +
                           std::to_string(stride));
}

static int64_t outputs(int64_t extent, int64_t size, const Window &window) {
  return (extent + 2 * window.pad - size) / window.stride + 1;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// [outputs, channels of a group, taps] as [groups, taps, outputs of a group,
/// channels of a group].
static Array taps_first(const Array &weights, int64_t groups) {
  const int64_t outputs = weights.shape[0] / groups,
                channels = weights.shape[1],
                taps = weights.shape[2] * weights.shape[3];
  Array result = zeros({groups, taps, outputs, channels});
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t o = 0; o < outputs; ++o)
      for (int64_t c = 0; c < channels; ++c)
        for (int64_t t = 0; t < taps; ++t)
          result.values[((g * taps + t) * outputs + o) * channels + c] =
              weights.values[((g * outputs + o) * channels + c) * taps + t];
  return result;
}

/// Of a transposed convolution: [channels, outputs, taps].
static Array taps_first_transposed(const Array &weights) {
  const int64_t channels = weights.shape[0], outputs = weights.shape[1],
                taps = weights.shape[2] * weights.shape[3];
  Array result = zeros({1, taps, outputs, channels});
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t o = 0; o < outputs; ++o)
      for (int64_t t = 0; t < taps; ++t)
        result.values[(t * outputs + o) * channels + c] =
            weights.values[(c * outputs + o) * taps + t];
  return result;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static Value depthwise(Network &net, const Value &x, const Value &filters,
                       int64_t size, const Window &window,
                       const std::string &layer) {
  Value y =
      net.make({x.extent(0), x.extent(1), outputs(x.extent(2), size, window),
                outputs(x.extent(3), size, window)});
  auto launch = [&]<typename Launcher>() {
    net.launch<Launcher>(x.in(), filters.in(), y.out(), window.pad, window.pad,
                         int64_t(1), int64_t(1));
    return y;
  };
  switch (size * 10 + window.stride) {
#define BELAY_CASE(K, S)                                                       \
  case K * 10 + S:                                                             \
    return launch.template                                                     \
    operator()<kernels::conv_depthwise_float_##K##_##K##_##S##_##S##_16_48>();
    BELAY_CASE(2, 2)
    BELAY_CASE(3, 1)
    BELAY_CASE(3, 2)
    BELAY_CASE(5, 1)
    BELAY_CASE(5, 2)
#undef BELAY_CASE
  }
  no_instance(layer, size, window.stride);
}

Value networks::conv(Network &net, const Value &x, const std::string &layer,
                     Window window) {
  const Array &weights = net.host_array(layer + ".weight");
  const int64_t groups = window.groups, size = weights.shape[2];
  const Value &filters = net.prepared(
      layer + " by taps", [&] { return taps_first(weights, groups); });
  if (groups > 1 && weights.shape[1] == 1 && weights.shape[0] == groups &&
      !net.has(layer + ".bias"))
    return depthwise(
        net, x,
        net.prepared(layer + " by channels",
                     [&] {
                       Array turned = taps_first(
                           {{1, groups, size, size}, weights.values}, 1);
                       return Array{{size * size, groups}, turned.values};
                     }),
        size, window, layer);
  Value y = net.make({x.extent(0), weights.shape[0],
                      outputs(x.extent(2), size, window),
                      outputs(x.extent(3), size, window)});
  auto by_groups = [&](const Value &image) {
    return image.reshaped({image.extent(0) * groups, image.extent(1) / groups,
                           image.extent(2), image.extent(3)});
  };
  const Value &bias = bias_of(net, layer, {groups, weights.shape[0] / groups});
  auto launch = [&]<typename Launcher>() {
    net.launch<Launcher>(by_groups(x).in(), filters.in(), bias.in(),
                         by_groups(y).out(), window.pad, window.pad, int64_t(1),
                         int64_t(1));
    return y;
  };
  switch (size * 10 + window.stride) {
#define BELAY_CASE(K, S)                                                       \
  case K * 10 + S:                                                             \
    return launch.template                                                     \
    operator()<kernels::conv2d_float_##K##_##K##_##S##_##S##_32_48_32>();
    BELAY_CASE(1, 1)
    BELAY_CASE(1, 2)
    BELAY_CASE(3, 1)
    BELAY_CASE(3, 2)
    BELAY_CASE(5, 1)
    BELAY_CASE(7, 2)
    BELAY_CASE(11, 4)
#undef BELAY_CASE
  }
  no_instance(layer, size, window.stride);
}

Value networks::conv_transposed(Network &net, const Value &x,
                                const std::string &layer) {
  const Array &weights = net.host_array(layer + ".weight");
  if (weights.shape[2] != 2 || weights.shape[3] != 2)
    no_instance(layer, weights.shape[2], 2);
  const Value &filters = net.prepared(
      layer + " by taps", [&] { return taps_first_transposed(weights); });
  Value y = net.make(
      {x.extent(0), weights.shape[1], 2 * x.extent(2), 2 * x.extent(3)});
  net.launch<kernels::conv_transpose2d_float_2_2_2_2_32_48_32>(
      x.in(), filters.in(), bias_of(net, layer, {1, weights.shape[1]}).in(),
      y.out(), int64_t(0), int64_t(0), int64_t(1), int64_t(1));
  return y;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

Value networks::batch_norm(Network &net, const Value &x,
                           const std::string &layer) {
  Value planes = x.reshaped({x.extent(0), x.extent(1), -1});
  Value y = net.make(planes.shape());
  net.launch<kernels::batch_norm_float_4096>(
      planes.in(), net.array(layer + ".weight").in(),
      net.array(layer + ".bias").in(), y.out(), 1e-5f);
  return y.reshaped(x.shape());
}

Value networks::max_pool(Network &net, const Value &x, int64_t size,
                         int64_t stride, int64_t pad, bool ceil) {
  auto windows = [&](int64_t extent) {
    const int64_t room = extent + 2 * pad - size;
    int64_t count = (room + (ceil ? stride - 1 : 0)) / stride + 1;
    // A window begins in the image, or in what is padded before it.
    return (count - 1) * stride >= extent + pad ? count - 1 : count;
  };
  Value y = net.make(
      {x.extent(0), x.extent(1), windows(x.extent(2)), windows(x.extent(3))});
  if (size == 2 && stride == 2)
    net.launch<kernels::max_pool_2d_strided_float_2_2_16_128>(x.in(), y.out(),
                                                              pad);
  else if (size == 3 && stride == 1)
    net.launch<kernels::max_pool_2d_strided_float_3_1_16_128>(x.in(), y.out(),
                                                              pad);
  else if (size == 3 && stride == 2)
    net.launch<kernels::max_pool_2d_strided_float_3_2_16_128>(x.in(), y.out(),
                                                              pad);
  else
    no_instance("max_pool", size, stride);
  return y;
}

Value networks::avg_pool(Network &net, const Value &x) {
  const int64_t channels = x.extent(1);
  const Value &quarters =
      net.prepared("quarters of " + std::to_string(channels), [&] {
        Array result = zeros({4, channels});
        std::fill(result.values.begin(), result.values.end(), 0.25f);
        return result;
      });
  return depthwise(net, x, quarters, 2, {.stride = 2}, "avg_pool");
}

Value networks::mean(Network &net, const Value &x) {
  Value planes = x.reshaped({x.extent(0) * x.extent(1), -1});
  Value sums = net.make({planes.extent(0)}), y = net.make({planes.extent(0)});
  net.launch<kernels::sum_rows_float_4096>(planes.in(), sums.out());
  net.launch<kernels::scale_float>(sums.in(), y.out(),
                                   1.0f / float(planes.extent(1)));
  return y.reshaped({x.extent(0), x.extent(1)});
}

Value networks::relu6(Network &net, const Value &x) {
  return map<kernels::relu6_float>(net, x);
}
Value networks::sigmoid(Network &net, const Value &x) {
  return map<kernels::sigmoid_float>(net, x);
}

Value networks::softmax(Network &net, const Value &x) {
  Value rows = x.reshaped({-1, x.shape().back()}), y = net.make(rows.shape());
  net.launch<kernels::softmax_float_4096>(rows.in(), y.out());
  return y.reshaped(x.shape());
}

Value networks::shuffle(Network &net, const Value &x, int64_t groups) {
  const int64_t channels = x.extent(1) / groups;
  Value y =
      net.make({x.extent(0), channels, groups, x.extent(2) * x.extent(3)});
  net.launch<kernels::swap_middle_float_32_256>(
      x.reshaped({x.extent(0), groups, channels, -1}).in(), y.out());
  return y.reshaped(x.shape());
}
