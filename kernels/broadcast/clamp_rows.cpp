// x[r][c], kept between low[c] and high[c].
// MultiKernelBench: broadcast/clamp_broadcast.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void clamp_rows(In<T, dyn, dyn> x, In<T> low, In<T> high,
                                  Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(low.size() == y.cols() && high.size() == y.cols());
  for (auto w : my_tiles<8, 1024>(y))
    store(w, min(max(load(x, w), load(low, w.col())), load(high, w.col())));
}
