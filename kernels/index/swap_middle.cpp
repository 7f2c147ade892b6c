// x[a][b][c][d] with its two middle dimensions exchanged: heads of an
// attention, channels of a shuffle, patches of an image, batches and steps of a
// sequence.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 32, i64 N = 256>
[[belay::kernel]] void swap_middle(In<T, dyn, dyn, dyn, dyn> x,
                                   Out<T, dyn, dyn, dyn, dyn> y) {
  expects(y.extent(0) == x.extent(0) && y.extent(1) == x.extent(2));
  expects(y.extent(2) == x.extent(1) && y.extent(3) == x.extent(3));
  auto swapped = permuted<0, 2, 1, 3>(x);
  for (auto w : my_tiles<R, N>(y))
    store(w, load(swapped[w.plane(0)][w.plane(1)], w.row(), w.col()));
}
