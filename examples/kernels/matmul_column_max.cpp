// The largest element of each column of a product that is never stored.
#include "belay/kernel.h"
using namespace belay;

template <i64 M = 64, i64 N = 128, i64 K = 256>
[[belay::kernel]] void matmul_column_max(In<half, dyn, dyn> a,
                                         In<half, dyn, dyn> b, Out<float> y) {
  expects(a.cols() == b.rows() && b.cols() == y.size());
  for (auto w : my_tiles<N>(y)) {
    auto most = full<float>(w, -3e38f);
    for (auto r : tiles<M>(a.rows())) {
      auto sum = zeros<float>(r, w.col());
      for (auto k : tiles<K>(a.cols()))
        sum += dot(load(a, r, k), load(b, k, w.col()));
      most = max(most, col_max(sum));
    }
    store(w, most);
  }
}
