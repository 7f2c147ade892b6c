// The standard deviation of each row, with n - 1 in the denominator. Rows may
// be of any length.
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void std_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float mean = ops::sum_over<N>(x[r]) / float(x.cols());
    auto rest = ops::rest_of<N>(x[r], mean) - mean;
    auto lanes = rest * rest;
    ops::whole_tiles<N>(x[r], [&](const auto &t) {
      auto d = t - mean;
      lanes = lanes + d * d;
    });
    store(y, r, ops::sqrt_of(sum(lanes) / float(x.cols() - 1)));
  }
}
