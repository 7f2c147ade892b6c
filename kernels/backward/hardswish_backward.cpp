// The gradient of hardswish.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hardswish_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<1024>(x, g, y, [&](const auto &t, const auto &g) {
    auto middle = g * (t * (1.0f / 3) + 0.5f);
    auto kept = select(t < 3.0f, middle, g);
    return select(t >= -3.0f, kept, full_like(g, 0.0f));
  });
}
