// Columns moved to the right by k; what leaves the last comes in at the first.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void roll_columns(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                    i64 k) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(k >= 0 && k <= x.cols());
  i64 rest = x.cols() - k;
  for (i64 r = core_index(); r < y.rows(); r += core_count()) {
    for (auto c : tiles<N>(rest))
      store(y[r], span<N>(c.begin + k, c.size), load(x[r], c));
    for (auto c : tiles<N>(k))
      store(y[r], c, load(x[r], span<N>(c.begin + rest, c.size)));
  }
}
