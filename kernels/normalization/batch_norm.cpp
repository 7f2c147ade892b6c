// Batch normalization of x[n][c][i] with the statistics of the batch.
// MultiKernelBench: normalization/batch_norm.
#include "belay/ops/moments.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void batch_norm(In<T, dyn, dyn, dyn> x, In<float> gamma,
                                  In<float> beta, Out<T, dyn, dyn, dyn> y,
                                  float eps) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  expects(gamma.size() == y.extent(1) && beta.size() == y.extent(1));
  for (i64 c = core_index(); c < x.extent(1); c += core_count()) {
    float count = 0, mean = 0, squares = 0;
    for (i64 n = 0; n < x.extent(0); ++n)
      ops::add_moments<N>(x[n][c], count, mean, squares);
    float scale =
        sum(load(gamma, span<1>(c, 1))) / ops::sqrt_of(squares / count + eps);
    float shift = sum(load(beta, span<1>(c, 1)));
    for (i64 n = 0; n < x.extent(0); ++n)
      for (auto k : tiles<N>(x.extent(2))) {
        auto t = cast<float>(load(x[n][c], k)) - mean;
        store(y[n][c], k, cast<T>(t * scale + shift));
      }
  }
}
