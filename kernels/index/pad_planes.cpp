// Planes with a value around them: y[n][i][j] = x[n][i - top][j - left].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 1024>
[[belay::kernel]] void pad_planes(In<T, dyn, dyn, dyn> x,
                                  Out<T, dyn, dyn, dyn> y, i64 top, i64 left,
                                  float value) {
  expects(x.extent(0) == y.extent(0) && top >= 0 && left >= 0);
  expects(x.extent(1) + top <= y.extent(1) &&
          x.extent(2) + left <= y.extent(2));
  for (auto w : my_tiles<1, N>(y)) {
    auto row = span<1>(w.row().begin - top, 1);
    auto col = span<N>(w.col().begin - left, w.col().size);
    store(w, load_or(x[w.plane()], row, col, T(value)));
  }
}
