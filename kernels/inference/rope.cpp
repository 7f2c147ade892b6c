// Rotary position embedding of x[token][head][2 * D], halves rotated against
// each other.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 D, i64 R = 8>
[[belay::kernel]] void rope(In<T, dyn, dyn, 2 * D> x, In<float, dyn, D> cosines,
                            In<float, dyn, D> sines,
                            Out<T, dyn, dyn, 2 * D> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1));
  expects(cosines.rows() == y.extent(0) && sines.rows() == y.extent(0));
  auto low = span<D>(0, D), high = span<D>(D, D);
  for (i64 t = core_index(); t < y.extent(0); t += core_count()) {
    auto c = load(cosines[t]), s = load(sines[t]);
    for (auto h : tiles<R>(y.extent(1))) {
      auto a = cast<float>(load(x[t], h, low));
      auto b = cast<float>(load(x[t], h, high));
      store(y[t], h, low, cast<T>(a * c - b * s));
      store(y[t], h, high, cast<T>(b * c + a * s));
    }
  }
}
