//===- plain.cpp - Layers one after the other -----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/mlp, arch/deep_narrow_mlp, arch/shallow_wide_mlp,
// arch/alexnet, arch/lenet5, arch/vgg16, arch/vgg19, arch/squeeze_net,
// arch/squeeze_net_fire_module, arch/googlenet_inception_module,
// arch/googlenet_inception_v1.
//
//===----------------------------------------------------------------------===//

#include "layers/images.h"

using namespace networks;

/// Linear layers with a relu between them, as many as there are weights.
static Value perceptron(Network &net, Value x, const std::string &prefix) {
  for (int layer = 0;; ++layer) {
    x = linear(net, x, prefix + std::to_string(layer));
    if (!net.has(prefix + std::to_string(layer + 1) + ".weight"))
      return x;
    x = relu(net, x);
  }
}

static std::vector<Value> mlp(Network &net) {
  return {perceptron(net, net.array("x"), "fc")};
}

static Value conv_relu(Network &net, const Value &x, const std::string &layer,
                       Window window = {}) {
  return relu(net, conv(net, x, layer, window));
}

static std::vector<Value> alexnet(Network &net) {
  Value x = conv_relu(net, net.array("x"), "conv0", {.stride = 4, .pad = 2});
  x = max_pool(net, x, 3, 2);
  x = max_pool(net, conv_relu(net, x, "conv1", {.pad = 2}), 3, 2);
  for (const char *layer : {"conv2", "conv3", "conv4"})
    x = conv_relu(net, x, layer, {.pad = 1});
  return {perceptron(net, flat(max_pool(net, x, 3, 2)), "fc")};
}

static std::vector<Value> lenet5(Network &net) {
  Value x = max_pool(net, conv_relu(net, net.array("x"), "conv0"), 2, 2);
  x = max_pool(net, conv_relu(net, x, "conv1"), 2, 2);
  return {perceptron(net, flat(x), "fc")};
}

/// Blocks of convolutions, which are called block.layer.
static std::vector<Value> vgg(Network &net) {
  Value x = net.array("x");
  for (int block = 0; block < 5; ++block) {
    const std::string prefix = "conv" + std::to_string(block) + ".";
    for (int layer = 0; net.has(prefix + std::to_string(layer) + ".weight");
         ++layer)
      x = conv_relu(net, x, prefix + std::to_string(layer), {.pad = 1});
    x = max_pool(net, x, 2, 2);
  }
  return {perceptron(net, flat(x), "fc")};
}

static Value fire(Network &net, const Value &x, const std::string &prefix) {
  Value squeezed = conv_relu(net, x, prefix + "squeeze");
  return concat(net, conv_relu(net, squeezed, prefix + "expand1"),
                conv_relu(net, squeezed, prefix + "expand3", {.pad = 1}));
}

static std::vector<Value> squeeze_net_fire_module(Network &net) {
  return {fire(net, net.array("x"), "")};
}

static std::vector<Value> squeeze_net(Network &net) {
  Value x = conv_relu(net, net.array("x"), "conv0", {.stride = 2});
  for (int layer = 0; layer < 8; ++layer) {
    if (layer == 0 || layer == 3 || layer == 7)
      x = max_pool(net, x, 3, 2, 0, true);
    x = fire(net, x, "fire" + std::to_string(layer) + ".");
  }
  return {mean(net, conv_relu(net, x, "classifier"))};
}

static Value inception(Network &net, const Value &x,
                       const std::string &prefix) {
  Value one = conv(net, x, prefix + "one");
  Value three =
      conv(net, conv(net, x, prefix + "reduce3"), prefix + "three", {.pad = 1});
  Value five =
      conv(net, conv(net, x, prefix + "reduce5"), prefix + "five", {.pad = 2});
  Value pooled = conv(net, max_pool(net, x, 3, 1, 1), prefix + "pooled");
  return concat(net, concat(net, one, three), concat(net, five, pooled));
}

static std::vector<Value> googlenet_inception_module(Network &net) {
  return {inception(net, net.array("x"), "")};
}

static std::vector<Value> googlenet_inception_v1(Network &net) {
  Value x = conv_relu(net, net.array("x"), "conv0", {.stride = 2, .pad = 3});
  x = conv_relu(net, max_pool(net, x, 3, 2, 1), "conv1");
  x = max_pool(net, conv_relu(net, x, "conv2", {.pad = 1}), 3, 2, 1);
  for (int layer = 0; layer < 9; ++layer) {
    if (layer == 2 || layer == 7)
      x = max_pool(net, x, 3, 2, 1);
    x = inception(net, x, "inception" + std::to_string(layer) + ".");
  }
  return {linear(net, mean(net, x), "fc")};
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"mlp", mlp},
      {"deep_narrow_mlp", mlp},
      {"shallow_wide_mlp", mlp},
      {"alexnet", alexnet},
      {"lenet5", lenet5},
      {"vgg16", vgg},
      {"vgg19", vgg},
      {"squeeze_net_fire_module", squeeze_net_fire_module},
      {"squeeze_net", squeeze_net},
      {"googlenet_inception_module", googlenet_inception_module},
      {"googlenet_inception_v1", googlenet_inception_v1},
  };
  return main_of(entries, argc, argv);
}
