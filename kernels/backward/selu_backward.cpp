// The gradient of selu.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void selu_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select(t > 0.0f, g * 1.0507009873554805f,
                  g * exp(t) * 1.7580993408473766f);
  });
}
