// x[n][c][i] divided by its Euclidean norm over c, which is at least eps.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 8, i64 C = 512>
[[belay::kernel]] void l2_norm_channels(In<T, dyn, dyn, dyn> x,
                                        Out<T, dyn, dyn, dyn> y, float eps) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  for (i64 n = 0; n < x.extent(0); ++n)
    for (auto k : my_spans<C>(x.extent(2))) {
      auto squares = zeros<float>(span<1>(0, 1), k);
      for (auto c : tiles<R>(x.extent(1))) {
        auto t = cast<float>(load(x[n], c, k));
        squares = squares + col_sum(t * t);
      }
      auto norm = max(sqrt(squares), eps);
      for (auto c : tiles<R>(x.extent(1)))
        store(y[n], c, k, cast<T>(cast<float>(load(x[n], c, k)) / norm));
    }
}
