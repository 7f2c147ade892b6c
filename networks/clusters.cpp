//===- clusters.cpp - Features by what they are near to
//--------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/net_vlad_no_ghost_clusters,
// arch/net_vlad_with_ghost_clusters.
//
//===----------------------------------------------------------------------===//

#include "layers/dense.h"
#include "layers/order.h"

#include "batch_norm_float_4096.h"
#include "matmul_batched_float_32_48_64.h"
#include "normalize_rows_float_4096.h"
#include "scale_channels_float.h"
#include "softmax_float_4096.h"
#include "subtract_float.h"
#include "sum_middle_float.h"

using namespace networks;

static Value normalized(Network &net, const Value &rows) {
  Value y = net.make(rows.shape());
  net.launch<kernels::normalize_rows_float_4096>(rows.in(), y.out(), 1e-12f);
  return y;
}

/// The last two dimensions of an array exchanged, `copies` times.
static const Value &transposed(Network &net, const std::string &name,
                               int64_t copies) {
  return net.prepared(name + " transposed", [&] {
    const Array &from = net.host_array(name);
    const int64_t cols = from.shape.back(), rows = count_of(from.shape) / cols;
    Array result = zeros({copies * cols, rows});
    for (int64_t i = 0; i < count_of(result.shape); ++i)
      result.values[i] = from.values[i % rows * cols + i / rows % cols];
    return result;
  });
}

/// How much each of the features belongs to each cluster, ghosts last.
static Value assigned(Network &net, const Value &x, int64_t clusters) {
  Value scores =
      linear(net, x, transposed(net, "clusters", 1),
             net.prepared("no bias", [&] { return zeros({clusters}); }));
  Value rows = scores.reshaped({-1, clusters, 1}), y = net.make(rows.shape());
  net.launch<kernels::batch_norm_float_4096>(
      rows.in(), net.array("norm.weight").in(), net.array("norm.bias").in(),
      y.out(), 1e-5f);
  Value result = net.make({rows.extent(0), clusters});
  net.launch<kernels::softmax_float_4096>(y.reshaped(result.shape()).in(),
                                          result.out());
  return result;
}

static std::vector<Value> net_vlad(Network &net) {
  const Value &x = net.array("x");
  const int64_t batch = x.extent(0), count = x.extent(1),
                features = x.extent(2),
                all = net.host_array("clusters").shape[1],
                clusters = net.host_array("clusters2").shape[2];
  Value share = assigned(net, x, all).reshaped({batch, count, all});
  Value total = net.make({batch, all});
  net.launch<kernels::sum_middle_float>(share.in(), total.out());
  Value sums = net.make({batch, all, features});
  net.launch<kernels::matmul_batched_float_32_48_64>(
      swapped(net, share.reshaped({batch, count, all, 1}))
          .reshaped({batch, all, count})
          .in(),
      x.in(), sums.out());
  // Clusters first, so that ghosts can be left out.
  auto without_ghosts = [&](const Value &value) {
    Value y = swapped(net, value.reshaped({1, batch, all, -1}));
    return y.reshaped({all, batch, -1}).part(0, clusters);
  };
  Value inner = swapped(
      net, without_ghosts(sums).reshaped({1, clusters, batch, features}));
  Value weights =
      swapped(net, without_ghosts(total).reshaped({1, clusters, batch, 1}));
  Value words = net.make({1, batch * clusters, features});
  net.launch<kernels::scale_channels_float>(
      transposed(net, "clusters2", batch)
          .reshaped({1, batch * clusters, features})
          .in(),
      weights.reshaped({-1}).in(), words.out());
  Value vlad = net.make({batch * clusters * features});
  net.launch<kernels::subtract_float>(inner.reshaped({-1}).in(),
                                      words.reshaped({-1}).in(), vlad.out());
  vlad = normalized(net, vlad.reshaped({batch * clusters, features}));
  // Features first, as the reference flattens them.
  vlad = swapped(net, vlad.reshaped({batch, clusters, features, 1}));
  return {normalized(net, vlad.reshaped({batch, -1}))};
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"net_vlad_no_ghost_clusters", net_vlad},
      {"net_vlad_with_ghost_clusters", net_vlad},
  };
  return main_of(entries, argc, argv);
}
