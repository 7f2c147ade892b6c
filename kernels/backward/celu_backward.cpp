// The gradient of celu.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void celu_backward(In<T> x, In<T> g, Out<T> y, float alpha) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select(t > 0.0f, g, g * exp(t / alpha));
  });
}
