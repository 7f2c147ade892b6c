// The gradient of softmax of rows, from its result y: y * (g - sum(g * y)).
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void softmax_backward(In<T, dyn, dyn> y, In<T, dyn, dyn> g,
                                        Out<T, dyn, dyn> dx) {
  expects(y.rows() == dx.rows() && y.cols() == dx.cols());
  expects(g.rows() == dx.rows() && g.cols() == dx.cols());
  for (i64 r = core_index(); r < dx.rows(); r += core_count()) {
    auto lanes = zeros<1, N, float>();
    for (auto c : tiles<N>(dx.cols()))
      lanes = lanes + cast<float>(load(y[r], c, T(0))) *
                          cast<float>(load(g[r], c, T(0)));
    float total = sum(lanes);
    for (auto c : tiles<N>(dx.cols()))
      store(dx[r], c,
            cast<T>(cast<float>(load(y[r], c)) *
                    (cast<float>(load(g[r], c)) - total)));
  }
}
