// The gradient of erf.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void erf_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return g * exp(t * -t) * 1.1283791670955126f;
  });
}
