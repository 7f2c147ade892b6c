// Products of many pairs of matrices, each of which may be stored transposed.
// Planes and tiles are distributed among the cores together; the cube
// transposes on the way to its own memories, so that nothing is copied twice.
#include "belay/kernel.h"
using namespace belay;

template <class T, bool TA, bool TB, i64 M = 128, i64 N = 256, i64 K = 256>
[[belay::kernel]] void matmul_batched(In<T, dyn, dyn, dyn> a,
                                      In<T, dyn, dyn, dyn> b,
                                      Out<T, dyn, dyn, dyn> c) {
  expects(a.extent(0) == c.extent(0) && b.extent(0) == c.extent(0));
  expects(a.extent(TA ? 2 : 1) == c.extent(1));
  expects(b.extent(TB ? 1 : 2) == c.extent(2));
  expects(a.extent(TA ? 1 : 2) == b.extent(TB ? 2 : 1));
  auto left = [&](i64 n) {
    if constexpr (TA)
      return a[n].transposed();
    else
      return a[n];
  };
  auto right = [&](i64 n) {
    if constexpr (TB)
      return b[n].transposed();
    else
      return b[n];
  };
  for (auto w : my_tiles<M, N>(c)) {
    auto x = left(w.plane());
    auto y = right(w.plane());
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(x.cols()))
      sum += dot(load(x, w.row(), k), load(y, k, w.col()));
    store(w, cast<T>(sum));
  }
}
