// The mean of -(1 + log_variance - mean^2 - exp(log_variance)) / 2: how far the
// codes of a variational autoencoder are from the standard normal distribution.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void elbo_kl(In<T> mean, In<T> log_variance,
                               PerCore<float> part, Out<float, 1> loss) {
  expects(mean.size() == log_variance.size() && mean.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(mean.size(), [&](auto s) {
    auto m = cast<float>(load(mean, s)), v = cast<float>(load(log_variance, s));
    return (m * m + exp(v) - v - 1.0f) * 0.5f;
  });
  ops::store_sum(loss, part, mine, 1.0f / float(mean.size()));
}
