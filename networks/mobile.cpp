//===- mobile.cpp - Networks with a filter for each channel
//----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/mobilenet_v1, arch/mobilenet_v2, arch/efficientnet_b0,
// arch/efficientnet_b1, arch/efficientnet_b2, arch/efficientnet_mb_conv,
// arch/shufflenet, arch/shufflenet_unit.
//
//===----------------------------------------------------------------------===//

#include "layers/images.h"

using namespace networks;

/// Convolution and normalization of channels, called conv and norm.
static Value conv_norm(Network &net, const Value &x, const std::string &layer,
                       Window window = {}) {
  return batch_norm(net, conv(net, x, layer + ".conv", window),
                    layer + ".norm");
}

/// A filter for each channel, padded so that only the stride makes it smaller.
static Value channels_norm(Network &net, const Value &x,
                           const std::string &layer, int64_t stride) {
  const int64_t size = net.host_array(layer + ".conv.weight").shape[2];
  return conv_norm(
      net, x, layer,
      {.stride = stride, .pad = (size - 1) / 2, .groups = x.extent(1)});
}

/// Expanded if there are weights for it, filtered, and projected. What came in
/// is added where the reference does so and shapes are the same.
static Value inverted_block(Network &net, const Value &x,
                            const std::string &prefix, int64_t stride,
                            bool is_residual) {
  Value y = x;
  if (net.has(prefix + "expand.conv.weight"))
    y = relu6(net, conv_norm(net, y, prefix + "expand"));
  y = relu6(net, channels_norm(net, y, prefix + "filter", stride));
  y = conv_norm(net, y, prefix + "project");
  return is_residual && y.shape() == x.shape() ? add(net, y, x) : y;
}

static std::vector<Value> efficientnet_mb_conv(Network &net) {
  return {inverted_block(net, net.array("x"), "", 2, true)};
}

static Value classified(Network &net, const Value &x) {
  return linear(net, mean(net, x), "fc");
}
static Value first(Network &net) {
  return conv_norm(net, net.array("x"), "first", {.stride = 2, .pad = 1});
}

static std::string block(int number) {
  return "block" + std::to_string(number) + ".";
}

static std::vector<Value> mobilenet_v1(Network &net) {
  constexpr int strides[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
  Value x = relu(net, first(net));
  for (int number = 0; number < 13; ++number) {
    x = relu(net,
             channels_norm(net, x, block(number) + "filter", strides[number]));
    x = relu(net, conv_norm(net, x, block(number) + "project"));
  }
  // The reference takes the mean of 7 by 7 pixels, which is all that is left.
  return {classified(net, x)};
}

static std::vector<Value> mobilenet_v2(Network &net) {
  constexpr struct {
    int count, stride;
  } stages[] = {{1, 1}, {2, 2}, {3, 2}, {4, 2}, {3, 1}, {3, 2}, {1, 1}};
  Value x = relu6(net, first(net));
  int number = 0;
  for (auto [count, stride] : stages)
    for (int each = 0; each < count; ++each)
      x = inverted_block(net, x, block(number++), each ? 1 : stride, false);
  return {classified(net, relu6(net, conv_norm(net, x, "last")))};
}

static std::vector<Value>
efficientnet(Network &net, std::span<const int> strides, bool is_residual) {
  Value x = relu(net, first(net));
  int number = 0;
  for (int stride : strides)
    x = inverted_block(net, x, block(number++), stride, is_residual);
  return {classified(net, relu(net, conv_norm(net, x, "last")))};
}
static std::vector<Value> efficientnet_b0(Network &net) {
  constexpr int strides[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 2, 1, 1, 1};
  return efficientnet(net, strides, true);
}
static std::vector<Value> efficientnet_b1(Network &net) {
  constexpr int strides[] = {1, 2, 2, 2, 1, 2, 1};
  return efficientnet(net, strides, false);
}

/// What it squeezes is all that goes on: the reference has no product with the
/// channels.
static std::vector<Value> efficientnet_b2(Network &net) {
  constexpr int strides[] = {1, 2, 2, 2, 1};
  Value x = relu(net, first(net));
  for (int number = 0; number < 5; ++number) {
    const std::string prefix = block(number);
    x = relu(net, conv_norm(net, x, prefix + "expand"));
    x = relu(net, channels_norm(net, x, prefix + "filter", strides[number]));
    x = mean(net, x).reshaped({x.extent(0), x.extent(1), 1, 1});
    x = relu(net, conv(net, x, prefix + "squeeze"));
    x = sigmoid(net, conv(net, x, prefix + "excite"));
    x = conv_norm(net, x, prefix + "project");
  }
  return {classified(net, relu(net, conv_norm(net, x, "last")))};
}

static constexpr int64_t Groups = 3;

static Value shuffle_unit(Network &net, const Value &x,
                          const std::string &prefix) {
  Value y = relu(net, conv_norm(net, x, prefix + "in", {.groups = Groups}));
  y = shuffle(net, channels_norm(net, y, prefix + "filter", 1), Groups);
  y = relu(net, conv_norm(net, y, prefix + "out", {.groups = Groups}));
  Value shortcut = x;
  if (net.has(prefix + "shortcut.conv.weight"))
    shortcut = conv_norm(net, x, prefix + "shortcut");
  return add(net, y, shortcut);
}

static std::vector<Value> shufflenet_unit(Network &net) {
  return {shuffle_unit(net, net.array("x"), "")};
}

static std::vector<Value> shufflenet(Network &net) {
  Value x = max_pool(net, relu(net, first(net)), 3, 2, 1);
  for (int number = 0; number < 13; ++number)
    x = shuffle_unit(net, x, block(number));
  return {classified(net, relu(net, conv_norm(net, x, "last")))};
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"mobilenet_v1", mobilenet_v1},
      {"mobilenet_v2", mobilenet_v2},
      {"efficientnet_mb_conv", efficientnet_mb_conv},
      {"efficientnet_b0", efficientnet_b0},
      {"efficientnet_b1", efficientnet_b1},
      {"efficientnet_b2", efficientnet_b2},
      {"shufflenet_unit", shufflenet_unit},
      {"shufflenet", shufflenet},
  };
  return main_of(entries, argc, argv);
}
