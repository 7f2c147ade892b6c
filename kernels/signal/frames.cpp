// Overlapping frames of N samples, one every so many: y[i][j] = x[i * hop + j].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N>
[[belay::kernel]] void frames(In<T> x, Out<T, dyn, N> y, i64 hop) {
  expects(hop >= 1 && hop < 1 << 20 && y.rows() < 1 << 20);
  expects(y.rows() * hop + N <= x.size() + hop);
  for (i64 r = core_index(); r < y.rows(); r += core_count())
    store(y[r], span<N>(0, N), load(x, span<N>(r * hop, N)));
}
