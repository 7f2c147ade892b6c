// Softmax of x[b][m][n] over m, such as channels of an image.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 C = 1024>
[[belay::kernel]] void softmax_middle(In<T, dyn, dyn, dyn> x,
                                      Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  for (i64 b = 0; b < x.extent(0); ++b)
    for (auto c : my_spans<C>(x.extent(2))) {
      auto most = full<float>(span<1>(0, 1), c, ops::lowest);
      auto total = zeros<float>(span<1>(0, 1), c);
      for (i64 m = 0; m < x.extent(1); ++m) {
        auto t = cast<float>(load(x[b][m], c));
        auto top = max(most, t);
        total = total * exp(most - top) + exp(t - top);
        most = copy(top);
      }
      for (i64 m = 0; m < x.extent(1); ++m) {
        auto t = cast<float>(load(x[b][m], c)) - most;
        store(y[b][m], c, cast<T>(exp(t) / total));
      }
    }
}
