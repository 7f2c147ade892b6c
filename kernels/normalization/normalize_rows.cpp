// Rows divided by their Euclidean norm, or by `least` if that is more.
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void normalize_rows(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                      float least) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float total = ops::sum_over<N>(x[r], [](const auto &t) { return t * t; });
    float divisor = max(ops::sqrt_of(total), least);
    for (auto c : tiles<N>(x.cols()))
      store(y[r], c, cast<T>(cast<float>(load(x[r], c)) / divisor));
  }
}
