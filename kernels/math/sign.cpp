// -1, 0 or 1.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void sign(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) {
    return select(t > 0.0f, full_like(t, 1.0f), 0.0f) -
           select(t < 0.0f, full_like(t, 1.0f), 0.0f);
  });
}
