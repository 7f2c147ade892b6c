// x where it exceeds a threshold, a value elsewhere.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void threshold(In<T> x, Out<T> y, float least, float value) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) {
    return select(t <= least, full_like(t, value), t);
  });
}
