// The mean of -(b log(sigmoid(a)) + (1 - b) log(sigmoid(-a))), weighted by
// positive where b is 1.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void
multilabel_soft_margin(In<T> a, In<T> b, PerCore<float> part,
                       Out<float, 1> loss, float positive) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto p = log(exp(-abs(x)) + 1.0f);
    return (max(-x, 0.0f) + p) * y * positive + (max(x, 0.0f) + p) * (1.0f - y);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
