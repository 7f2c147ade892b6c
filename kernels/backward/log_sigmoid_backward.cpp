// The gradient of log(sigmoid(x)).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void log_sigmoid_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return g / (exp(t) + 1.0f);
  });
}
