// Softmax of logits over a temperature, rows of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void
softmax_temperature(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, float temperature) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float top = ops::max_over<N>(x[r]);
    auto sums =
        exp((ops::rest_of<N>(x[r], -ops::infinity) - top) / temperature);
    ops::whole_tiles<N>(x[r], [&](const auto &t) {
      sums = sums + exp((t - top) / temperature);
    });
    float total = sum(sums);
    for (auto c : tiles<N>(x.cols()))
      store(y[r], c,
            cast<T>(exp((cast<float>(load(x[r], c)) - top) / temperature) /
                    total));
  }
}
