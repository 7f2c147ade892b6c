// The mean of log(1 + ((a - b) / scale)^2), which outliers move little.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void cauchy(In<T> a, In<T> b, PerCore<float> part,
                              Out<float, 1> loss, float scale) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto d = (x - y) / scale;
    return log(d * d + 1.0f);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
