// Group normalization of x[n][g][c][i]: the channels c of a group have one mean
// and variance, and a scale and a shift each. MultiKernelBench:
// normalization/group_norm.
#include "belay/ops/moments.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void
group_norm(In<T, dyn, dyn, dyn, dyn> x, In<float, dyn, dyn> gamma,
           In<float, dyn, dyn> beta, Out<T, dyn, dyn, dyn, dyn> y, float eps) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2) && x.extent(3) == y.extent(3));
  expects(gamma.rows() == x.extent(1) && gamma.cols() == x.extent(2));
  expects(beta.rows() == x.extent(1) && beta.cols() == x.extent(2));
  for (i64 n = 0; n < x.extent(0); ++n)
    for (i64 g = core_index(); g < x.extent(1); g += core_count()) {
      float count = 0, mean = 0, squares = 0;
      for (i64 c = 0; c < x.extent(2); ++c)
        ops::add_moments<N>(x[n][g][c], count, mean, squares);
      float inverse = 1.0f / ops::sqrt_of(squares / count + eps);
      for (i64 c = 0; c < x.extent(2); ++c) {
        float scale = inverse * sum(load(gamma[g], span<1>(c, 1)));
        float shift = sum(load(beta[g], span<1>(c, 1)));
        for (auto k : tiles<N>(x.extent(3))) {
          auto t = cast<float>(load(x[n][g][c], k)) - mean;
          store(y[n][g][c], k, cast<T>(t * scale + shift));
        }
      }
    }
}
