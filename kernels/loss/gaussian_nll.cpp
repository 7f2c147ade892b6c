// The mean negative log likelihood of targets under normal distributions with
// means and variances; a variance is at least eps.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void gaussian_nll(In<T> mean, In<T> target, In<T> variance,
                                    PerCore<float> part, Out<float, 1> loss,
                                    float eps) {
  expects(mean.size() == target.size() && variance.size() == target.size());
  expects(target.size() >= 1 && core_count() <= max_cores);
  float mine = ops::sum_mine<N>(target.size(), [&](auto s) {
    auto d = cast<float>(load(mean, s)) - cast<float>(load(target, s));
    auto v = max(cast<float>(load(variance, s)), eps);
    return (log(v) + d * d / v) * 0.5f;
  });
  ops::store_sum(loss, part, mine, 1.0f / float(target.size()));
}
