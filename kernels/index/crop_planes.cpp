// A part of each plane: y[n][i][j] = x[n][i + top][j + left].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 8, i64 N = 256>
[[belay::kernel]] void crop_planes(In<T, dyn, dyn, dyn> x,
                                   Out<T, dyn, dyn, dyn> y, i64 top, i64 left) {
  expects(x.extent(0) == y.extent(0) && top >= 0 && left >= 0);
  expects(y.extent(1) + top <= x.extent(1) &&
          y.extent(2) + left <= x.extent(2));
  for (auto w : my_tiles<R, N>(y))
    store(w, load(x[w.plane()], span<R>(w.row().begin + top, w.row().size),
                  span<N>(w.col().begin + left, w.col().size)));
}
