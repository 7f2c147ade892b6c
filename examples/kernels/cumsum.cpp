// Prefix sums along each row.
#include "belay/kernel.h"
using namespace belay;

template <i64 N = 1024>
[[belay::kernel]] void cumsum(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto r : my_spans<1>(x.rows())) {
    float before = 0;
    for (auto c : tiles<N>(x.cols())) {
      auto t = load(x, r, c);
      store(y, r, c, row_cumsum(t) + before);
      before += sum(t);
    }
  }
}
