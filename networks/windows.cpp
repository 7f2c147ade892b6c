//===- windows.cpp - Networks over windows of an image --------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/swin_mlp, arch/swintransformer_v2.
//
// Images are [batch, height, width, channels]. Every second block looks at
// windows that are moved by half of their size.
//
//===----------------------------------------------------------------------===//

#include "layers/dense.h"
#include "layers/order.h"
#include "layers/tokens.h"

#include "add_channels_float.h"
#include "add_rows_float.h"
#include "clip_float.h"
#include "crop_planes_float_8_256.h"
#include "exp_of_float.h"
#include "gelu_float.h"
#include "matmul_batched_float_32_48_64.h"
#include "mean_middle_float.h"
#include "normalize_rows_float_4096.h"
#include "pad_planes_float_1024.h"
#include "roll_columns_float_4096.h"
#include "scale_channels_float.h"
#include "scale_float.h"
#include "sigmoid_float.h"
#include "softmax_float_4096.h"

#include <cmath>

using namespace networks;

static Value product(Network &net, const Value &a, const Value &b) {
  Value y = net.make({a.extent(0), a.extent(1), b.extent(2)});
  net.launch<kernels::matmul_batched_float_32_48_64>(a.in(), b.in(), y.out());
  return y;
}

static Value transposed(Network &net, const Value &x) {
  return swapped(net, x.reshaped({x.extent(0), x.extent(1), x.extent(2), 1}))
      .reshaped({x.extent(0), x.extent(2), x.extent(1)});
}

static Value perceptron(Network &net, const Value &x,
                        const std::string &prefix) {
  Value y = map<kernels::gelu_float>(net, linear(net, x, prefix + "fc0"));
  return linear(net, y, prefix + "fc1");
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// [batch * windows, size * size, channels].
static Value windows(Network &net, const Value &x, int64_t size) {
  const int64_t down = x.extent(0) * x.extent(1) / size,
                across = x.extent(2) / size, channels = x.extent(3);
  return swapped(net, x.reshaped({down, size, across, size * channels}))
      .reshaped({down * across, size * size, channels});
}

/// An image of that shape again.
static Value together(Network &net, const Value &x, const Shape &shape,
                      int64_t size) {
  const int64_t down = shape[0] * shape[1] / size, across = shape[2] / size;
  return swapped(net, x.reshaped({down, across, size, size * shape[3]}))
      .reshaped(shape);
}

/// Zeros around an image, or without them: `before` rows and columns above and
/// to the left.
static Value padded(Network &net, const Value &x, int64_t before,
                    int64_t size) {
  const int64_t channels = x.extent(3);
  Value y = net.make(
      {x.extent(0), x.extent(1) + size, (x.extent(2) + size) * channels});
  net.launch<kernels::pad_planes_float_1024>(
      x.reshaped({x.extent(0), x.extent(1), -1}).in(), y.out(), before,
      before * channels, 0.0f);
  return y.reshaped(
      {x.extent(0), x.extent(1) + size, x.extent(2) + size, channels});
}
static Value cropped(Network &net, const Value &x, const Shape &shape,
                     int64_t before) {
  Value y = net.make({shape[0], shape[1], shape[2] * shape[3]});
  net.launch<kernels::crop_planes_float_8_256>(
      x.reshaped({x.extent(0), x.extent(1), -1}).in(), y.out(), before,
      before * shape[3]);
  return y.reshaped(shape);
}

/// Rows and columns moved on by `by`; what leaves at the end comes in at the
/// start.
static Value rolled(Network &net, const Value &x, int64_t by) {
  const int64_t rows = x.extent(1), columns = x.extent(2),
                channels = x.extent(3);
  auto roll = [&](const Value &from, int64_t count, int64_t places) {
    Value y = net.make({count, from.count() / count});
    net.launch<kernels::roll_columns_float_4096>(from.reshaped(y.shape()).in(),
                                                 y.out(), places);
    return y;
  };
  Value moved = roll(x, x.extent(0) * rows, by * channels);
  return roll(moved, x.extent(0), by * columns * channels).reshaped(x.shape());
}

/// Four neighbours as one, [batch, height / 2, width / 2, 4 * channels]: those
/// of the left column first.
static Value merged(Network &net, const Value &x) {
  const int64_t batch = x.extent(0), down = x.extent(1) / 2,
                across = x.extent(2) / 2, channels = x.extent(3);
  Value y = swapped(net, x.reshaped({batch * down, 2, across, 2 * channels}));
  return swapped(net, y.reshaped({batch * down * across, 2, 2, channels}))
      .reshaped({batch, down, across, 4 * channels});
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// A layer over the places of each window, with weights for each head:
/// [windows, places, heads * d].
static Value mix_places(Network &net, const Value &x,
                        const std::string &layer) {
  const int64_t count = x.extent(0), places = x.extent(1),
                channels = x.extent(2),
                heads = net.host_array(layer + ".weight").shape[0] / places,
                wide = count * channels / heads;
  // [heads, places, windows * d], so that the windows are columns.
  Value y = turned(net, x.reshaped({count, places * heads, channels / heads}));
  y = turned(net, y.reshaped({places, heads, wide}));
  y = product(
      net, net.array(layer + ".weight").reshaped({heads, places, places}), y);
  Value moved = net.make({1, heads * places, wide});
  net.launch<kernels::add_channels_float>(y.reshaped(moved.shape()).in(),
                                          net.array(layer + ".bias").in(),
                                          moved.out());
  y = turned(net, moved.reshaped({heads, places, wide}));
  return turned(net, y.reshaped({places * heads, count, channels / heads}))
      .reshaped(x.shape());
}

static Value mlp_block(Network &net, const Value &x, const std::string &prefix,
                       bool moves) {
  const std::string layer = prefix + "places";
  const int64_t size =
      std::llround(std::sqrt(net.host_array(layer + ".weight").shape[1]));
  moves = moves && std::min(x.extent(1), x.extent(2)) > size;
  const int64_t before = size - size / 2;
  Value y = layer_norm(net, x, prefix + "norm0");
  if (moves)
    y = padded(net, y, before, size);
  const Shape shape = y.shape();
  y = mix_places(net, windows(net, y, size), layer);
  y = together(net, y, shape, size);
  if (moves)
    y = cropped(net, y, x.shape(), before);
  y = add(net, x, y);
  return add(net, y,
             perceptron(net, layer_norm(net, y, prefix + "norm1"), prefix));
}

/// What is added to scores of each head for two places of a window, by their
/// distance: [heads, places * places]. Layers work on each pair of places, as
/// `coords` lists them, which is what a table of distances would be read for.
static Value distances(Network &net, const std::string &prefix) {
  Value y = linear(net, net.array(prefix + "coords"), prefix + "near0");
  y = linear(net, relu(net, y), prefix + "near1");
  y = map<kernels::sigmoid_float>(net, y);
  Value scaled = net.make({y.count()});
  net.launch<kernels::scale_float>(y.reshaped({-1}).in(), scaled.out(), 16.0f);
  return transposed(net, scaled.reshaped({1, y.extent(0), y.extent(1)}));
}

static Value plus_rows(Network &net, const Value &x, const Value &row) {
  Value y = net.make({x.count() / row.count(), row.count()});
  net.launch<kernels::add_rows_float>(x.reshaped(y.shape()).in(),
                                      row.reshaped({-1}).in(), y.out());
  return y.reshaped(x.shape());
}

/// Scores of [windows, heads, places, places], by the cosine of queries and
/// keys, with the largest factor that the reference allows.
static Value weighted(Network &net, const Value &scores,
                      const std::string &prefix) {
  const int64_t count = scores.extent(0), heads = scores.extent(1),
                places = scores.extent(2);
  Value limited = net.make({heads}), factor = net.make({heads});
  net.launch<kernels::clip_float>(net.array(prefix + "scale").in(),
                                  limited.out(), -100.0f, std::log(100.0f));
  net.launch<kernels::exp_of_float>(limited.in(), factor.out());
  Value y = net.make({count, heads, places * places});
  net.launch<kernels::scale_channels_float>(scores.reshaped(y.shape()).in(),
                                            factor.in(), y.out());
  y = plus_rows(net, y, distances(net, prefix));
  if (net.has(prefix + "mask"))
    y = plus_rows(net, y, net.prepared(prefix + "mask of heads", [&] {
      const Array &mask = net.host_array(prefix + "mask");
      const int64_t pairs = places * places;
      Array all = zeros({mask.shape[0], heads, pairs});
      for (int64_t i = 0; i < count_of(all.shape); ++i)
        all.values[i] = mask.values[i / (heads * pairs) * pairs + i % pairs];
      return all;
    }));
  Value shares = net.make({count * heads * places, places});
  net.launch<kernels::softmax_float_4096>(y.reshaped(shares.shape()).in(),
                                          shares.out());
  return shares.reshaped({count * heads, places, places});
}

/// Attention in each window: [windows, places, channels].
static Value attend(Network &net, const Value &x, const std::string &prefix) {
  const int64_t count = x.extent(0), places = x.extent(1),
                channels = x.extent(2),
                heads = net.host_array(prefix + "scale").shape[0],
                wide = channels / heads;
  const Value &bias = net.prepared(prefix + "bias of all", [&] {
    Array all = zeros({3 * channels});
    const Array &q = net.host_array(prefix + "q.bias");
    const Array &v = net.host_array(prefix + "v.bias");
    std::copy(q.values.begin(), q.values.end(), all.values.begin());
    std::copy(v.values.begin(), v.values.end(),
              all.values.begin() + 2 * channels);
    return all;
  });
  Value all = linear(net, x, net.array(prefix + "in.weight"), bias);
  all = turned(net, all.reshaped({count * places, 3, channels}));
  auto part = [&](int64_t which) {
    return swapped(net,
                   all.part(which, 1).reshaped({count, places, heads, wide}))
        .reshaped({count * heads, places, wide});
  };
  auto normalized = [&](const Value &value) {
    Value rows = value.reshaped({-1, wide}), y = net.make(rows.shape());
    net.launch<kernels::normalize_rows_float_4096>(rows.in(), y.out(), 1e-12f);
    return y.reshaped(value.shape());
  };
  Value scores =
      product(net, normalized(part(0)), transposed(net, normalized(part(1))));
  Value shares =
      weighted(net, scores.reshaped({count, heads, places, places}), prefix);
  Value y = product(net, shares, part(2));
  y = swapped(net, y.reshaped({count, heads, places, wide}));
  return linear(net, y.reshaped(x.shape()), prefix + "out");
}

static Value attention_block(Network &net, const Value &x,
                             const std::string &prefix) {
  const int64_t pairs = net.host_array(prefix + "coords").shape[0];
  const int64_t size = std::llround(std::sqrt(std::sqrt(double(pairs))));
  const int64_t moved = net.has(prefix + "mask") ? size / 2 : 0;
  Value y = moved ? rolled(net, x, x.extent(1) - moved) : x;
  y = together(net, attend(net, windows(net, y, size), prefix), x.shape(),
               size);
  if (moved)
    y = rolled(net, y, moved);
  y = add(net, x, layer_norm(net, y, prefix + "norm0"));
  return add(net, y,
             layer_norm(net, perceptron(net, y, prefix), prefix + "norm1"));
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

/// Blocks of all stages, with `merge` between them, and classes.
template <typename Block, typename Merge>
static std::vector<Value> stages(Network &net, Block block, Merge merge) {
  const Value &image = net.array("x");
  const int64_t size = net.host_array("patch.weight").shape[2];
  Value x = layer_norm(net, embedded(net, image, "patch"), "patch.norm");
  x = x.reshaped({image.extent(0), image.extent(2) / size,
                  image.extent(3) / size, x.extent(2)});
  auto name = [](int stage, const std::string &what) {
    return "stage" + std::to_string(stage) + "." + what;
  };
  for (int stage = 0; net.has(name(stage, "0.fc0.weight")); ++stage) {
    if (stage)
      x = merge(merged(net, x), name(stage, "merge"));
    for (int i = 0; net.has(name(stage, std::to_string(i) + ".fc0.weight"));
         ++i)
      x = block(x, name(stage, std::to_string(i) + "."), i % 2 == 1);
  }
  x = layer_norm(net, x, "norm");
  Value mean = net.make({x.extent(0), x.extent(3)});
  net.launch<kernels::mean_middle_float>(
      x.reshaped({x.extent(0), -1, x.extent(3)}).in(), mean.out());
  return {linear(net, mean, "fc")};
}

static std::vector<Value> swin_mlp(Network &net) {
  return stages(
      net,
      [&](const Value &x, const std::string &prefix, bool moves) {
        return mlp_block(net, x, prefix, moves);
      },
      [&](const Value &x, const std::string &layer) {
        return linear(net, layer_norm(net, x, layer + ".norm"), layer);
      });
}

static std::vector<Value> swintransformer_v2(Network &net) {
  return stages(
      net,
      [&](const Value &x, const std::string &prefix, bool) {
        return attention_block(net, x, prefix);
      },
      [&](const Value &x, const std::string &layer) {
        return layer_norm(net, linear(net, x, layer), layer + ".norm");
      });
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"swin_mlp", swin_mlp},
      {"swintransformer_v2", swintransformer_v2},
  };
  return main_of(entries, argc, argv);
}
