//===- recurrent.cpp - Networks of sequences
//-------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MultiKernelBench: arch/gru, arch/gru_hidden, arch/gru_birectional,
// arch/gru_bidirectional_hidden, arch/lstm, arch/lstm_bidirectional,
// arch/lstm_cn, arch/lstm_hn, arch/vanilla_rnn, arch/vanilla_rnn_hidden.
//
// Products with the input are one launch for all steps; each step has a product
// with the state, and the gates.
//
//===----------------------------------------------------------------------===//

#include "layers/dense.h"
#include "layers/order.h"

#include "gru_gates_float_1024.h"
#include "lstm_gates_float_512.h"

using namespace networks;

/// What a layer has seen at each step, and its last state.
struct Sequence {
  Value steps, hidden, cell;
};

namespace {

/// One layer in one direction. Weights are called as PyTorch does.
class Layer {
public:
  Layer(Network &net, int number, bool is_reverse)
      : net_(net),
        suffix_("_l" + std::to_string(number) + (is_reverse ? "_reverse" : "")),
        is_reverse_(is_reverse) {}

  Sequence gru(const Value &x, const Value &h0) {
    return run(x, h0, 3,
               [&](const Value &input, const Value &hidden, const Value &h,
                   const Value &next) {
                 net_.launch<kernels::gru_gates_float_1024>(
                     input.in(), hidden.in(), h.in(), next.out());
               });
  }

  Sequence lstm(const Value &x, const Value &h0, const Value &c0) {
    Value cell = c0;
    Sequence result =
        run(x, h0, 4,
            [&](const Value &input, const Value &hidden, const Value &,
                const Value &next) {
              Value fresh = net_.make(cell.shape());
              net_.launch<kernels::lstm_gates_float_512>(
                  input.in(), hidden.in(), cell.in(), fresh.out(), next.out());
              cell = fresh;
            });
    result.cell = cell;
    return result;
  }

private:
  Value product(const Value &x, const char *kind) {
    const Value &weights = net_.array(std::string("weight_") + kind + suffix_);
    return linear(net_, x, weights,
                  net_.array(std::string("bias_") + kind + suffix_));
  }

  /// x is [steps, batch, features].
  template <typename Gates>
  Sequence run(const Value &x, const Value &h0, int64_t gates, Gates &&launch) {
    const int64_t steps = x.extent(0), batch = x.extent(1),
                  units = h0.extent(1);
    Value inputs = product(x, "ih").reshaped({steps * batch, gates, units});
    Value all = net_.make({steps * batch, units}), h = h0;
    for (int64_t step = 0; step < steps; ++step) {
      const int64_t first = (is_reverse_ ? steps - 1 - step : step) * batch;
      Value next = all.part(first, batch);
      launch(inputs.part(first, batch),
             product(h, "hh").reshaped({batch, gates, units}), h, next);
      h = next;
    }
    return {all.reshaped({steps, batch, units}), h, {}};
  }

  Network &net_;
  std::string suffix_;
  bool is_reverse_;
};

} // namespace

/// All layers. `Run` runs one of them from its initial state, which is a part
/// of the first dimension of what the network got.
template <typename Run>
static std::vector<Sequence> layers(Network &net, Value &x, Run &&run) {
  const bool is_bidirectional = net.has("weight_ih_l0_reverse");
  std::vector<Sequence> all;
  for (int number = 0; net.has("weight_ih_l" + std::to_string(number));
       ++number) {
    std::vector<Value> directions;
    for (int reverse = 0; reverse <= int(is_bidirectional); ++reverse) {
      all.push_back(run(Layer(net, number, reverse), x, int64_t(all.size())));
      directions.push_back(all.back().steps);
    }
    x = directions[0];
    if (is_bidirectional) {
      const int64_t steps = x.extent(0), batch = x.extent(1);
      x = concat(net, directions[0].reshaped({steps * batch, -1}),
                 directions[1].reshaped({steps * batch, -1}))
              .reshaped({steps, batch, -1});
    }
  }
  return all;
}

static Value state(Network &net, const char *name, int64_t number) {
  const Value &all = net.array(name);
  return all.part(number, 1).reshaped({all.extent(1), all.extent(2)});
}

/// States of all layers as one value.
static Value stacked(Network &net, const std::vector<Value> &states) {
  Value y = states[0].reshaped({1, -1});
  for (std::size_t each = 1; each < states.size(); ++each)
    y = concat(net, y, states[each].reshaped({1, -1}));
  return y.reshaped(
      {int64_t(states.size()), states[0].extent(0), states[0].extent(1)});
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

static std::vector<Sequence> gru_layers(Network &net, Value &x) {
  return layers(net, x, [&](Layer layer, const Value &input, int64_t number) {
    return layer.gru(input, state(net, "h0", number));
  });
}
static std::vector<Value> gru(Network &net) {
  Value x = net.array("x");
  gru_layers(net, x);
  return {x};
}
static std::vector<Value> gru_hidden(Network &net) {
  Value x = net.array("x");
  std::vector<Value> states;
  for (const Sequence &each : gru_layers(net, x))
    states.push_back(each.hidden);
  return {stacked(net, states)};
}

/// The input has its batch first.
static std::vector<Sequence> lstm_layers(Network &net, Value &x) {
  x = turned(net, net.array("x"));
  return layers(net, x, [&](Layer layer, const Value &input, int64_t number) {
    return layer.lstm(input, state(net, "h0", number),
                      state(net, "c0", number));
  });
}
static std::vector<Value> lstm(Network &net) {
  Value x;
  lstm_layers(net, x);
  Value last = x.part(x.extent(0) - 1, 1);
  return {linear(net, last.reshaped({x.extent(1), x.extent(2)}), "fc")};
}
static std::vector<Value> lstm_hn(Network &net) {
  Value x;
  std::vector<Value> states;
  for (const Sequence &each : lstm_layers(net, x))
    states.push_back(each.hidden);
  return {stacked(net, states)};
}
static std::vector<Value> lstm_cn(Network &net) {
  Value x;
  std::vector<Value> cells;
  for (const Sequence &each : lstm_layers(net, x))
    cells.push_back(each.cell);
  return {stacked(net, cells)};
}

static void rnn_step(Network &net, const Value &x, const Value &h,
                     const Value &next) {
  Value sums = linear(net, concat(net, x, h), "i2h");
  net.launch<kernels::tanh_of_float>(sums.reshaped({-1}).in(),
                                     next.reshaped({-1}).out());
}
static std::vector<Value> vanilla_rnn(Network &net) {
  Value h = net.make(net.array("h0").shape());
  rnn_step(net, net.array("x"), net.array("h0"), h);
  return {linear(net, h, "h2o")};
}
static std::vector<Value> vanilla_rnn_hidden(Network &net) {
  const Value &x = net.array("x");
  Value h = net.array("h0");
  const int64_t steps = x.extent(0), batch = x.extent(1);
  Value all = net.make({steps, batch, h.extent(1)});
  for (int64_t step = 0; step < steps; ++step) {
    Value next = all.part(step, 1).reshaped(h.shape());
    rnn_step(net, x.part(step, 1).reshaped({batch, -1}), h, next);
    h = next;
  }
  return {linear(net, all, "h2o")}; // one product for all steps
}

int main(int argc, char **argv) {
  static constexpr Entry entries[] = {
      {"gru", gru},
      {"gru_hidden", gru_hidden},
      {"gru_birectional", gru},
      {"gru_bidirectional_hidden", gru_hidden},
      {"lstm", lstm},
      {"lstm_bidirectional", lstm},
      {"lstm_hn", lstm_hn},
      {"lstm_cn", lstm_cn},
      {"vanilla_rnn", vanilla_rnn},
      {"vanilla_rnn_hidden", vanilla_rnn_hidden},
  };
  return main_of(entries, argc, argv);
}
