// Sampling: where x - log(-log(u)) of each row is largest, for random numbers u
// between 0 and 1. Rows of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void gumbel_argmax(In<T, dyn, C> x, In<float, dyn, C> u,
                                     Out<i32> y) {
  expects(x.rows() == y.size() && u.rows() == y.size());
  for (auto rows : my_spans<2>(y.size())) {
    auto t = cast<float>(load(x, rows, span<C>(0, C)));
    auto noise = log(-log(load(u, rows, span<C>(0, C))));
    store(y, rows, row_argmax(t - noise));
  }
}
