// Mean and variance of each row, which may be of any length.
#include "belay/ops/moments.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void moments_rows(In<T, dyn, dyn> x, Out<float> mean,
                                    Out<float> variance) {
  expects(mean.size() == x.rows() && variance.size() == x.rows());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float count = 0, m = 0, squares = 0;
    ops::add_moments<N>(x[r], count, m, squares);
    store(mean, r, m);
    store(variance, r, squares / count);
  }
}
