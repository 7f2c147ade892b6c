// The gradient of |x|; 0 at 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void abs_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select(t > 0.0f, g, full_like(g, 0.0f)) -
           select(t < 0.0f, g, full_like(g, 0.0f));
  });
}
