// The largest of K by K neighbours of images x[n][c][h][w], with a stride of S
// and `pad` rows and columns of padding; windows may end after the image, as
// with ceil_mode. A tile has a row of some channels.
#include "belay/ops/convolution.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 K, i64 S, i64 C = 16, i64 N = 128>
[[belay::kernel]] void max_pool_2d_strided(In<T, dyn, dyn, dyn, dyn> x,
                                           Out<T, dyn, dyn, dyn, dyn> y,
                                           i64 pad) {
  expects(y.extent(0) == x.extent(0) && y.extent(1) == x.extent(1));
  expects(x.extent(2) >= 1 && pad >= 0 && pad < K);
  for (auto w : my_tiles<C, N>(permuted<0, 2, 1, 3>(y))) {
    auto most = full<T>(w.row(), w.col(), T(-ops::infinity));
    for (i64 r = 0; r < K; ++r) {
      i64 row = w.plane(1) * S + r - pad;
      if (row >= 0 && row < x.extent(2))
        for (i64 t = 0; t < K; ++t)
          most =
              max(most, ops::load_tap<S>(slice<1>(x[w.plane(0)], row), w.row(),
                                         w.col(), t, pad, T(-ops::infinity)));
    }
    store(w, most);
  }
}
