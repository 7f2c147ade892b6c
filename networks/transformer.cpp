//===- transformer.cpp - Networks with attention
//---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/min_gpt_causal_attention, arch/mini_gpt_block,
// arch/relu_self_attention, arch/vision_attention, arch/vision_transformer,
// arch/convolutional_vision_transformer.
//
// Heads have 16 columns: the kernels are instances for that.
//
//===----------------------------------------------------------------------===//

#include "layers/dense.h"
#include "layers/order.h"
#include "layers/tokens.h"

#include "add_rows_float.h"
#include "causal_attention_float_16_32_48_32.h"
#include "gelu_float.h"
#include "min_gpt_new_gelu_float.h"
#include "multi_head_attention_float_16_32_48_32.h"
#include "relu_attention_float_16_32_48.h"

using namespace networks;

static constexpr float Scale = 0.25f; // one over the root of 16

/// x is [batch, length, features]; weights and biases of queries, keys and
/// values are one array, called in, those of the last layer out.
template <typename Launcher>
static Value attend(Network &net, const Value &x, const std::string &prefix) {
  const int64_t features = x.extent(2);
  Value room = net.make({3, x.extent(0), x.extent(1), features});
  Value y = net.make(x.shape());
  net.launch<Launcher>(
      x.in(),
      net.array(prefix + "in.weight").reshaped({3, features, features}).in(),
      net.array(prefix + "in.bias").reshaped({3, features}).in(),
      net.array(prefix + "out.weight").in(),
      net.array(prefix + "out.bias").in(), room.inout(), y.out(), Scale);
  return y;
}
static Value attention(Network &net, const Value &x,
                       const std::string &prefix) {
  return attend<kernels::multi_head_attention_float_16_32_48_32>(net, x,
                                                                 prefix);
}
static Value causal(Network &net, const Value &x, const std::string &prefix) {
  return attend<kernels::causal_attention_float_16_32_48_32>(net, x, prefix);
}

static std::vector<Value> min_gpt_causal_attention(Network &net) {
  return {causal(net, net.array("x"), "")};
}

static std::vector<Value> mini_gpt_block(Network &net) {
  Value x = net.array("x");
  x = add(net, x, causal(net, layer_norm(net, x, "norm0"), ""));
  Value y = linear(net, layer_norm(net, x, "norm1"), "fc0");
  y = linear(net, map<kernels::min_gpt_new_gelu_float>(net, y), "fc1");
  return {add(net, x, y)};
}

/// The reference has a last layer, and does not use it.
static std::vector<Value> relu_self_attention(Network &net) {
  const Value &x = net.array("x");
  Value y = net.make(x.shape());
  net.launch<kernels::relu_attention_float_16_32_48>(linear(net, x, "in").in(),
                                                     y.out(), Scale);
  return {y};
}

static std::vector<Value> vision_attention(Network &net) {
  const Value &image = net.array("x");
  const int64_t batch = image.extent(0), channels = image.extent(1);
  // Pixels are the sequence, channels the features.
  Value x = swapped(net, image.reshaped({batch, channels, -1, 1}))
                .reshaped({batch, -1, channels});
  x = layer_norm(net, add(net, attention(net, x, ""), x), "norm");
  x = swapped(net, x.reshaped({batch, -1, channels, 1}));
  return {x.reshaped(image.shape())};
}

/// Attention and a layer of each position, both normalized after what came in
/// is added. With `by_batch` it attends across the batch: PyTorch's layer takes
/// the first dimension for the sequence unless it is told otherwise.
static Value encoder(Network &net, Value x, const std::string &prefix,
                     bool by_batch) {
  Value seen = by_batch ? turned(net, attention(net, turned(net, x), prefix))
                        : attention(net, x, prefix);
  x = layer_norm(net, add(net, x, seen), prefix + "norm0");
  Value y = relu(net, linear(net, x, prefix + "fc0"));
  return layer_norm(net, add(net, x, linear(net, y, prefix + "fc1")),
                    prefix + "norm1");
}

static Value encoders(Network &net, Value x, bool by_batch) {
  for (int layer = 0; net.has("layer" + std::to_string(layer) + ".in.weight");
       ++layer)
    x = encoder(net, x, "layer" + std::to_string(layer) + ".", by_batch);
  return x;
}

/// A token for the class before those of each image.
static Value with_class(Network &net, const Value &x) {
  const int64_t batch = x.extent(0), features = x.extent(2);
  const Value &token = net.prepared("class of each", [&] {
    Array all = zeros({batch, features});
    const Array &one = net.host_array("class");
    for (std::size_t i = 0; i < all.values.size(); ++i)
      all.values[i] = one.values[i % one.values.size()];
    return all;
  });
  return concat(net, token.reshaped({batch, 1, features}), x);
}

/// The first token of each image.
static Value class_of(Network &net, const Value &x) {
  return turned(net, x).part(0, 1).reshaped({x.extent(0), x.extent(2)});
}

/// The reference flattens squares as [channels, squares, pixels], in that
/// order, and calls rows of it squares.
static std::vector<Value> vision_transformer(Network &net) {
  const Value &image = net.array("x");
  const int64_t batch = image.extent(0), channels = image.extent(1);
  const int64_t features = net.host_array("embedding.weight").shape[1];
  int64_t size = 1;
  while (channels * size * size < features)
    ++size;
  const int64_t down = image.extent(2) / size, across = image.extent(3) / size;
  Value x =
      swapped(net,
              image.reshaped({batch * channels * down, size, across, size}))
          .reshaped({batch, down * across, features});
  x = with_class(net, linear(net, x, "embedding"));
  const Value &places = net.array("places");
  Value placed = net.make({batch, x.extent(1) * x.extent(2)});
  net.launch<kernels::add_rows_float>(x.reshaped(placed.shape()).in(),
                                      places.reshaped({-1}).in(), placed.out());
  x = encoders(net, placed.reshaped(x.shape()), true);
  x = map<kernels::gelu_float>(net, linear(net, class_of(net, x), "head0"));
  return {linear(net, x, "head1")};
}

static std::vector<Value> convolutional_vision_transformer(Network &net) {
  Value x = embedded(net, net.array("x"), "conv");
  // Channels first, as the reference flattens them.
  const int64_t batch = x.extent(0);
  x = swapped(net, x.reshaped({batch, x.extent(1), x.extent(2), 1}));
  x = linear(net, x.reshaped({batch, -1}), "projection");
  x = with_class(net, x.reshaped({batch, 1, x.extent(1)}));
  return {linear(net, class_of(net, encoders(net, x, false)), "fc")};
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"min_gpt_causal_attention", min_gpt_causal_attention},
      {"mini_gpt_block", mini_gpt_block},
      {"relu_self_attention", relu_self_attention},
      {"vision_attention", vision_attention},
      {"vision_transformer", vision_transformer},
      {"convolutional_vision_transformer", convolutional_vision_transformer},
  };
  return main_of(entries, argc, argv);
}
