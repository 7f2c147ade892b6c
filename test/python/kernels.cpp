// Kernels for the tests of the Python package.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void copy_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w));
}

/// Two outputs, one of them half as long; a scalar of each kind.
[[belay::kernel]] void parts(In<float> x, Out<float> y, Out<float> z, float s,
                             i64 most) {
  expects(x.size() == y.size() && z.size() * 2 == x.size());
  expects(x.size() <= most && s >= 0.5f);
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w) * s);
  for (auto w : my_tiles<1024>(z))
    store(w, load(x, w) + s);
}

[[belay::kernel]] void add_to(InOut<float> y, In<float> x) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y))
    store(w, load(y, w) + load(x, w));
}

/// Nothing says how long y is.
[[belay::kernel]] void free_of(In<float> x, Out<float> y) {
  expects(y.size() <= x.size());
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w));
}

/// K stands in no type.
template <i64 K> [[belay::kernel]] void times(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w) * float(K));
}

/// A template argument that follows from two arguments.
template <class T, i64 C>
[[belay::kernel]] void add_row(In<T, dyn, C> x, In<T, C> b, Out<T, dyn, C> y) {
  expects(x.rows() == y.rows());
  auto row = load(b);
  for (auto rows : my_rows<4>(y))
    store(rows, load(x, rows) + row);
}

/// Not proven: x may be shorter than y.
[[belay::kernel]] void careless(In<float> x, Out<float> y) {
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w));
}

/// Conditions of every kind, for comparing those who evaluate them.
[[belay::kernel]] void strict(In<float> x, Out<float> y, i64 a, i64 b, float s,
                              bool either) {
  expects(x.size() == y.size());
  expects(b != 0 && max(a, b) < 1000000 && min(a, b) > -1000000);
  expects(either || a / b * b + a % b * 2 == a);
  expects(min(a, b) <= 3 || max(a, b) - x.size() > -a);
  expects(s * 0.1f + float(a) / 3.0f < float(x.size()) || s != s);
  expects((a < b ? a * a : -b) * x.size() >= b - 100);
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w));
}
