// Rotary position embedding of the first 2 D of C columns of each row; the
// others stay. A row of cosines and sines for each row.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 D, i64 C>
[[belay::kernel]] void rope_partial(In<T, dyn, C> x, In<float, dyn, D> cosines,
                                    In<float, dyn, D> sines, Out<T, dyn, C> y) {
  static_assert(2 * D < C);
  expects(x.rows() == y.rows() && cosines.rows() == y.rows() &&
          sines.rows() == y.rows());
  for (i64 r = core_index(); r < y.rows(); r += core_count()) {
    auto c = load(cosines[r]), s = load(sines[r]);
    auto a = cast<float>(load(x[r], span<D>(0, D)));
    auto b = cast<float>(load(x[r], span<D>(D, D)));
    store(y[r], span<D>(0, D), cast<T>(a * c - b * s));
    store(y[r], span<D>(D, D), cast<T>(b * c + a * s));
    store(y[r], span<C - 2 * D>(2 * D, C - 2 * D),
          load(x[r], span<C - 2 * D>(2 * D, C - 2 * D)));
  }
}
