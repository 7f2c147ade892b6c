// swish(a) * b of rows whose first half is a and second half is b.
#include "belay/ops/activations.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void swiglu(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == 2 * y.cols());
  for (auto w : my_tiles<1, N>(y)) {
    auto row = x[w.row().begin];
    auto second = span<N>(w.col().begin + y.cols(), w.col().size);
    auto a = cast<float>(load(row, w.col())),
         b = cast<float>(load(row, second));
    store(w, cast<T>(ops::swish(a) * b));
  }
}
