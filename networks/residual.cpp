//===- residual.cpp - Networks that add, or keep, what came before
//---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/resnet18, arch/resnet101, arch/resnet_basic_block,
// arch/densenet121, arch/densenet201, arch/densenet121_dense_block,
// arch/densenet121_transition_layer, arch/regnet, arch/unet_softmax.
//
//===----------------------------------------------------------------------===//

#include "layers/images.h"

using namespace networks;

static Value conv_norm(Network &net, const Value &x, const std::string &prefix,
                       const std::string &number, Window window = {}) {
  return batch_norm(net, conv(net, x, prefix + "conv" + number, window),
                    prefix + "norm" + number);
}

/// Two convolutions of 3 by 3, or a third one after them where all but the
/// middle one are 1 by 1; a strided layer, if there is one, for what is added.
static Value residual(Network &net, const Value &x, const std::string &prefix,
                      int64_t stride) {
  const bool is_bottleneck = net.has(prefix + "conv2.weight");
  Value y, shortcut = x;
  if (is_bottleneck) {
    y = relu(net, conv_norm(net, x, prefix, "0"));
    y = conv_norm(net, y, prefix, "1", {.stride = stride, .pad = 1});
    y = conv_norm(net, relu(net, y), prefix, "2");
  } else {
    y = conv_norm(net, x, prefix, "0", {.stride = stride, .pad = 1});
    y = conv_norm(net, relu(net, y), prefix, "1", {.pad = 1});
  }
  if (net.has(prefix + "conv_down.weight"))
    shortcut = conv_norm(net, x, prefix, "_down", {.stride = stride});
  return relu(net, add(net, y, shortcut));
}

static std::vector<Value> resnet_basic_block(Network &net) {
  return {residual(net, net.array("x"), "", 1)};
}

/// The first layers of large images.
static Value stem(Network &net) {
  Value x = conv_norm(net, net.array("x"), "", "", {.stride = 2, .pad = 3});
  return max_pool(net, relu(net, x), 3, 2, 1);
}

static std::vector<Value> resnet(Network &net) {
  Value x = stem(net);
  for (int stage = 0; stage < 4; ++stage)
    for (int block = 0;; ++block) {
      const std::string prefix =
          "stage" + std::to_string(stage) + "." + std::to_string(block) + ".";
      if (!net.has(prefix + "conv0.weight"))
        break;
      x = residual(net, x, prefix, stage > 0 && block == 0 ? 2 : 1);
    }
  return {linear(net, mean(net, x), "fc")};
}

static Value norm_relu(Network &net, const Value &x, const std::string &layer) {
  return relu(net, batch_norm(net, x, layer));
}

/// Each layer sees what all before it have made.
static Value dense_block(Network &net, Value x, const std::string &prefix) {
  for (int layer = 0;; ++layer) {
    const std::string number = std::to_string(layer);
    if (!net.has(prefix + "conv" + number + ".weight"))
      return x;
    Value fresh = norm_relu(net, x, prefix + "norm" + number);
    x = concat(net, x, conv(net, fresh, prefix + "conv" + number, {.pad = 1}));
  }
}

static Value transition(Network &net, const Value &x,
                        const std::string &prefix) {
  return avg_pool(
      net, conv(net, norm_relu(net, x, prefix + "norm"), prefix + "conv"));
}

static std::vector<Value> densenet121_dense_block(Network &net) {
  return {dense_block(net, net.array("x"), "")};
}
static std::vector<Value> densenet121_transition_layer(Network &net) {
  return {transition(net, net.array("x"), "")};
}

static std::vector<Value> densenet(Network &net) {
  Value x = stem(net);
  for (int block = 0; block < 4; ++block) {
    const std::string number = std::to_string(block);
    x = dense_block(net, x, "block" + number + ".");
    if (block < 3)
      x = transition(net, x, "transition" + number + ".");
  }
  return {linear(net, mean(net, norm_relu(net, x, "last")), "fc")};
}

static std::vector<Value> regnet(Network &net) {
  Value x = net.array("x");
  for (int stage = 0;
       net.has("stage" + std::to_string(stage) + ".conv0.weight"); ++stage) {
    const std::string prefix = "stage" + std::to_string(stage) + ".";
    for (const char *layer : {"0", "1"})
      x = relu(net, conv_norm(net, x, prefix, layer, {.pad = 1}));
    x = max_pool(net, x, 2, 2);
  }
  return {linear(net, mean(net, x), "fc")};
}

static Value double_conv(Network &net, Value x, const std::string &prefix) {
  for (const char *layer : {"0", "1"})
    x = softmax(net, conv_norm(net, x, prefix, layer, {.pad = 1}));
  return x;
}

static std::vector<Value> unet_softmax(Network &net) {
  Value x = net.array("x");
  std::vector<Value> kept;
  for (int level = 0; level < 4; ++level) {
    kept.push_back(
        double_conv(net, x, "encoder" + std::to_string(level) + "."));
    x = max_pool(net, kept.back(), 2, 2);
  }
  x = double_conv(net, x, "bottleneck.");
  for (int level = 3; level >= 0; --level) {
    const std::string number = std::to_string(level);
    x = concat(net, conv_transposed(net, x, "up" + number), kept[level]);
    x = double_conv(net, x, "decoder" + number + ".");
  }
  return {conv(net, x, "last")};
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"resnet_basic_block", resnet_basic_block},
      {"resnet18", resnet},
      {"resnet101", resnet},
      {"densenet121_dense_block", densenet121_dense_block},
      {"densenet121_transition_layer", densenet121_transition_layer},
      {"densenet121", densenet},
      {"densenet201", densenet},
      {"regnet", regnet},
      {"unet_softmax", unet_softmax},
  };
  return main_of(entries, argc, argv);
}
