// A matrix with a value on its diagonal.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void set_diagonal(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                    float value) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(x.rows() < 1 << 30 && x.cols() < 1 << 30);
  for (auto w : my_tiles<1, N>(y)) {
    auto t = cast<float>(load(x, w, T(0)));
    auto c = iota<N, i32>(i32(w.col().begin));
    store(w, cast<T>(select(c == i32(w.row().begin), full_like(t, value), t)));
  }
}
