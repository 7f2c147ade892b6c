// Rotary position embedding of neighbours: x[t][h][2 i] and x[t][h][2 i + 1]
// are rotated by the angle of position t and frequency i.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 D>
[[belay::kernel]] void
rope_interleaved(In<T, dyn, 2 * D> x, In<float, dyn, D> cosines,
                 In<float, dyn, D> sines, Out<T, dyn, 2 * D> y, i64 heads) {
  expects(x.rows() == y.rows() && heads >= 1);
  expects(cosines.rows() == sines.rows() && x.rows() == cosines.rows() * heads);
  auto even = strided<1>(x, 0, 2), odd = strided<1>(x, 1, 2);
  for (i64 r = core_index(); r < y.rows(); r += core_count()) {
    auto t = span<1>(r / heads, 1);
    auto c = load(cosines, t, span<D>(0, D)), s = load(sines, t, span<D>(0, D));
    auto row = span<1>(r, 1);
    auto a = cast<float>(load(even, row, span<D>(0, D)));
    auto b = cast<float>(load(odd, row, span<D>(0, D)));
    store(strided<1>(y, 0, 2), row, span<D>(0, D), cast<T>(a * c - b * s));
    store(strided<1>(y, 1, 2), row, span<D>(0, D), cast<T>(a * s + b * c));
  }
}
