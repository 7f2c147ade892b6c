// One step of a GRU after its products: gates of the input and of the state,
// each [batch][reset, update, new][unit], and the state, to the next state.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 1024>
[[belay::kernel]] void gru_gates(In<T, dyn, 3, dyn> input,
                                 In<T, dyn, 3, dyn> hidden, In<T, dyn, dyn> h,
                                 Out<T, dyn, dyn> y) {
  i64 n = h.rows(), units = h.cols();
  expects(y.rows() == n && input.extent(0) == n && hidden.extent(0) == n);
  expects(y.cols() == units && input.extent(2) == units);
  expects(hidden.extent(2) == units);
  for (i64 b = core_index(); b < n; b += core_count())
    for (auto c : tiles<N>(units)) {
      auto reset = sigmoid(cast<float>(load(input[b][0], c)) +
                           cast<float>(load(hidden[b][0], c)));
      auto update = sigmoid(cast<float>(load(input[b][1], c)) +
                            cast<float>(load(hidden[b][1], c)));
      auto fresh = tanh(cast<float>(load(input[b][2], c)) +
                        reset * cast<float>(load(hidden[b][2], c)));
      auto old = cast<float>(load(h[b], c));
      store(y[b], c, cast<T>(fresh + update * (old - fresh)));
    }
}
