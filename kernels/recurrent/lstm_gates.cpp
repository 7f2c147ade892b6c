// One step of an LSTM after its products: gates of the input and of the state,
// each [batch][input, forget, cell, output][unit], and the cell, to the next
// cell and the next state.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 512>
[[belay::kernel]] void
lstm_gates(In<T, dyn, 4, dyn> input, In<T, dyn, 4, dyn> hidden,
           In<T, dyn, dyn> cell, Out<T, dyn, dyn> next, Out<T, dyn, dyn> y) {
  i64 n = cell.rows(), units = cell.cols();
  expects(y.rows() == n && input.extent(0) == n && hidden.extent(0) == n);
  expects(y.cols() == units && input.extent(2) == units);
  expects(hidden.extent(2) == units);
  expects(next.rows() == n && next.cols() == units);
  for (i64 b = core_index(); b < n; b += core_count())
    for (auto c : tiles<N>(units)) {
      auto in = sigmoid(cast<float>(load(input[b][0], c)) +
                        cast<float>(load(hidden[b][0], c)));
      auto forget = sigmoid(cast<float>(load(input[b][1], c)) +
                            cast<float>(load(hidden[b][1], c)));
      auto fresh = tanh(cast<float>(load(input[b][2], c)) +
                        cast<float>(load(hidden[b][2], c)));
      auto out = sigmoid(cast<float>(load(input[b][3], c)) +
                         cast<float>(load(hidden[b][3], c)));
      auto t = forget * cast<float>(load(cell[b], c)) + in * fresh;
      store(next[b], c, cast<T>(t));
      store(y[b], c, cast<T>(out * tanh(t)));
    }
}
