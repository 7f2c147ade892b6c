// Each plane without its mean, divided by its standard deviation.
// MultiKernelBench: normalization/instance_norm.
#include "belay/ops/moments.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void instance_norm(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                     float eps) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float count = 0, mean = 0, squares = 0;
    ops::add_moments<N>(x[r], count, mean, squares);
    float scale = 1.0f / ops::sqrt_of(squares / count + eps);
    for (auto c : tiles<N>(x.cols()))
      store(y[r], c, cast<T>((cast<float>(load(x[r], c)) - mean) * scale));
  }
}
