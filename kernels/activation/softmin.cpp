// exp(-x) of each row over its sum. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void softmin(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float least = ops::min_over<N>(x[r]);
    auto rest = ops::rest_of<N>(x[r], ops::infinity);
    auto sums = exp(least - rest);
    ops::whole_tiles<N>(x[r],
                        [&](const auto &t) { sums = sums + exp(least - t); });
    float total = sum(sums);
    for (auto c : tiles<N>(x.cols()))
      store(y[r], c, cast<T>(exp(least - cast<float>(load(x[r], c))) / total));
  }
}
