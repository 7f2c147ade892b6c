// The gradient of hardshrink and of softshrink: nothing inside of -lambda to
// lambda.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void shrink_backward(In<T> x, In<T> g, Out<T> y,
                                       float lambda) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select(abs(t) > lambda, g, full_like(g, 0.0f));
  });
}
