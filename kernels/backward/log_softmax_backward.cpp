// The gradient of log(softmax) of rows, from its result y: g - exp(y) * sum(g).
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void log_softmax_backward(In<T, dyn, dyn> y,
                                            In<T, dyn, dyn> g,
                                            Out<T, dyn, dyn> dx) {
  expects(y.rows() == dx.rows() && y.cols() == dx.cols());
  expects(g.rows() == dx.rows() && g.cols() == dx.cols());
  for (i64 r = core_index(); r < dx.rows(); r += core_count()) {
    float total = ops::sum_over<N>(g[r]);
    for (auto c : tiles<N>(dx.cols()))
      store(dx[r], c,
            cast<T>(cast<float>(load(g[r], c)) -
                    exp(cast<float>(load(y[r], c))) * total));
  }
}
