// The upper triangle of matrices: elements below the given diagonal become 0.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void upper_triangle(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                      i64 diagonal) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(x.rows() < 1 << 29 && x.cols() < 1 << 29);
  expects(diagonal > -(1 << 29) && diagonal < 1 << 29);
  for (auto w : my_tiles<1, 2048>(y)) {
    auto t = cast<float>(load(x, w, T(0)));
    auto c = iota<2048, i32>(i32(w.col().begin));
    store(w, cast<T>(select(c >= i32(w.row().begin + diagonal), t, 0.0f)));
  }
}
