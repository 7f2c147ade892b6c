// The mean squared error of logarithms log(1 + a) and log(1 + b).
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void log_mse(In<T> a, In<T> b, PerCore<float> part,
                               Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto d = log(x + 1.0f) - log(y + 1.0f);
    return d * d;
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
