// The gradient of relu: g where x is positive, 0 elsewhere.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void relu_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select(t > 0.0f, g, 0.0f);
  });
}
