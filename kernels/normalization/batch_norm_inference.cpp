// x[n][c][i] normalised with the running mean and variance of its channel.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 4, i64 C = 512>
[[belay::kernel]] void
batch_norm_inference(In<T, dyn, dyn, dyn> x, In<float> mean, In<float> variance,
                     In<float> gamma, In<float> beta, Out<T, dyn, dyn, dyn> y,
                     float eps) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  expects(mean.size() == y.extent(1) && variance.size() == y.extent(1));
  expects(gamma.size() == y.extent(1) && beta.size() == y.extent(1));
  for (i64 n = 0; n < y.extent(0); ++n)
    for (auto w : my_tiles<R, C>(y[n])) {
      auto scale = load(gamma, w) / sqrt(load(variance, w) + eps);
      store(w, cast<T>((cast<float>(load(x[n], w)) - load(mean, w)) * scale +
                       load(beta, w)));
    }
}
