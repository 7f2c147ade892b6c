// Each row so many times, one after the other: y[r * times + i] = x[r].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void repeat_rows(In<T, dyn, dyn> x, Out<T, dyn, dyn, dyn> y) {
  expects(x.rows() == y.extent(0) && x.cols() == y.extent(2));
  for (i64 r = core_index(); r < x.rows(); r += core_count())
    for (auto c : tiles<N>(x.cols())) {
      auto t = load(x[r], c);
      for (i64 i = 0; i < y.extent(1); ++i)
        store(y[r][i], c, t);
    }
}
