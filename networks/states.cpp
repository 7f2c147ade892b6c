//===- states.cpp - Sequences by states that decay ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/mamba_return_y, arch/mamba_return_final_state.
//
// A sequence is cut into chunks. In a chunk, each step sees those before it by
// a product; between chunks, only a state is handed on. Groups are pairs of a
// chunk and a head: [batch * chunks * heads, steps, ...].
//
//===----------------------------------------------------------------------===//

#include "layers/dense.h"
#include "layers/order.h"

#include "chunk_inputs_float_32_128.h"
#include "chunk_outputs_float_32_128.h"
#include "chunk_scores_float_32_128.h"
#include "cumsum_float_64_32.h"
#include "matmul_batched_float_32_48_64.h"
#include "sum_rows_float_4096.h"

using namespace networks;

static constexpr int64_t Steps = 64; // of a chunk

static Value product(Network &net, const Value &a, const Value &b) {
  Value y = net.make({a.extent(0), a.extent(1), b.extent(2)});
  net.launch<kernels::matmul_batched_float_32_48_64>(a.in(), b.in(), y.out());
  return y;
}

static Value transposed(Network &net, const Value &x) {
  return swapped(net, x.reshaped({x.extent(0), x.extent(1), x.extent(2), 1}))
      .reshaped({x.extent(0), x.extent(2), x.extent(1)});
}

/// A function of x[group][step] and of the sums of decays up to each step.
template <typename Launcher>
static Value decayed(Network &net, const Value &x, const Value &sums) {
  Value y = net.make(x.shape());
  net.launch<Launcher>(x.in(), sums.in(), y.out());
  return y;
}

static Value cumsum(Network &net, const Value &rows) {
  Value y = net.make(rows.shape());
  net.launch<kernels::cumsum_float_64_32>(rows.in(), y.out());
  return y;
}

/// [batch, length, heads, n] as [batch * chunks * heads, steps, n].
static Value grouped(Network &net, const Value &x) {
  const int64_t heads = x.extent(2);
  return swapped(net, x.reshaped({-1, Steps, heads, x.extent(3)}))
      .reshaped({x.count() / (Steps * x.extent(3)), Steps, x.extent(3)});
}

namespace {
/// What both networks need: groups of inputs and of weights, and the states
/// before each chunk, and after the last one, [batch * heads, chunks + 1, n *
/// d].
struct Chunks {
  Value x, b, c, sums, states;
  int64_t batch, chunks, heads, features, state;
};
} // namespace

/// State z is the sum of what the chunks before it have left, each decayed by
/// the chunks between.
static Value handed_on(Network &net, const Chunks &s, const Value &left,
                       const Value &decays) {
  const int64_t rows = s.batch * s.heads, steps = s.chunks + 1;
  Value before =
      net.prepared("no state",
                   [&] { return zeros({rows, s.state * s.features}); })
          .reshaped({rows, 1, s.state * s.features});
  Value all =
      concat(net, before,
             swapped(net, left.reshaped({s.batch, s.chunks, s.heads, -1}))
                 .reshaped({rows, s.chunks, -1}));
  Value first = net.prepared("no decay", [&] { return zeros({rows, 1}); });
  Value logs =
      concat(net, first,
             swapped(net, decays.reshaped({s.batch, s.chunks, s.heads, 1}))
                 .reshaped({rows, s.chunks}));
  const Value &ones = net.prepared("ones", [&] {
    Array all = zeros({rows, steps, steps});
    std::fill(all.values.begin(), all.values.end(), 1.0f);
    return all;
  });
  Value shares =
      decayed<kernels::chunk_scores_float_32_128>(net, ones, cumsum(net, logs));
  return product(net, shares, all);
}

static Chunks chunks_of(Network &net) {
  const Value &x = net.array("x");
  Chunks s;
  s.batch = x.extent(0), s.chunks = x.extent(1) / Steps;
  s.heads = x.extent(2), s.features = x.extent(3);
  s.state = net.array("B").extent(3);
  s.x = grouped(net, x);
  s.b = grouped(net, net.array("B"));
  s.c = grouped(net, net.array("C"));
  const Value &decay = net.array("A");
  Value rows = grouped(net, decay.reshaped({s.batch, -1, s.heads, 1}))
                   .reshaped({-1, Steps});
  s.sums = cumsum(net, rows);
  Value decays = net.make({rows.extent(0)});
  net.launch<kernels::sum_rows_float_4096>(rows.in(), decays.out());
  Value kept = decayed<kernels::chunk_inputs_float_32_128>(net, s.b, s.sums);
  Value left = product(net, transposed(net, kept), s.x);
  s.states = handed_on(net, s, left, decays);
  return s;
}

static std::vector<Value> mamba_return_y(Network &net) {
  Chunks s = chunks_of(net);
  Value scores = product(net, s.c, transposed(net, s.b));
  scores = decayed<kernels::chunk_scores_float_32_128>(net, scores, s.sums);
  Value within = product(net, scores, s.x);
  // The states before each chunk: chunks first, so that the last one is left.
  Value states = turned(net, s.states).part(0, s.chunks);
  states = swapped(net, states.reshaped({1, s.chunks, s.batch, -1}));
  Value seen = decayed<kernels::chunk_outputs_float_32_128>(net, s.c, s.sums);
  Value across =
      product(net, seen, states.reshaped({s.c.extent(0), s.state, s.features}));
  Value y = add(net, within, across)
                .reshaped({s.batch * s.chunks, s.heads, Steps, s.features});
  return {swapped(net, y).reshaped(net.array("x").shape())};
}

static std::vector<Value> mamba_return_final_state(Network &net) {
  Chunks s = chunks_of(net);
  Value last = turned(net, s.states).part(s.chunks, 1);
  return {transposed(net, last.reshaped({-1, s.state, s.features}))
              .reshaped({s.batch, s.heads, s.features, s.state})};
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"mamba_return_y", mamba_return_y},
      {"mamba_return_final_state", mamba_return_final_state},
  };
  return main_of(entries, argc, argv);
}
