#include "belay/kernel.h"
using namespace belay;

template <i64 N> [[belay::kernel]] void copy_of(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<N>(y))
    store(w, load(x, w));
}

[[belay::kernel]] void zero(InOut<float> y) {
  for (auto w : my_tiles<64>(y))
    store(w, full_like(load(y, w), 0.0f));
}

/// The middle row of each plane, scaled.
template <i64 R>
[[belay::kernel]] void turned(In<float, dyn, R, dyn> x, float factor,
                              Out<float, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  for (i64 p = core_index(); p < x.extent(0); p += core_count())
    for (auto c : tiles<16>(x.extent(2)))
      store(y[p], c, load(x[p][1], c) * factor);
}

[[belay::kernel]] void careless(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin, 64)));
}

[[belay::kernel]] void total(In<float> x, PerCore<float> part,
                             Out<float, 1> out) {
  expects(core_count() <= 64);
  float s = 0;
  for (auto w : my_tiles<1024>(x))
    s += sum(load(x, w));
  store_mine(part, s);
  sync_cores();
  if (first_core())
    store(out, 0, sum(load_all(part)));
}

void helper(In<float> x) {}

#ifdef UNKNOWABLE
[[belay::kernel]] void unknowable(In<float, 64> x) {
  expects(sum(load(x, span<64>(0, 64))) > 0.0f);
}
#endif
#ifdef UNKNOWABLE_CORE
[[belay::kernel]] void unknowable(In<float> x) {
  expects(x.size() > core_index());
}
#endif
#ifdef ENDLESS
[[belay::kernel]] void endless(In<float> x, i64 n) {
  i64 a = n * n, b = a * a, c = b * b, d = c * c, e = d * d, f = e * e;
  i64 g = f * f, h = g * g, i = h * h, j = i * i, k = j * j;
  expects(k > 0);
}
#endif
#ifdef MANY
#define FOUR(n) In<float> n##0, In<float> n##1, In<float> n##2, In<float> n##3
[[belay::kernel]] void many(FOUR(a), FOUR(b), FOUR(c), FOUR(d), FOUR(e),
                            FOUR(f), FOUR(g), FOUR(h), In<float> last) {}
#endif
#ifdef TWICE
namespace other {
[[belay::kernel]] void zero(Out<float> y) {}
} // namespace other
#endif
