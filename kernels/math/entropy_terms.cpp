// -x * log(x), 0 where x is 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void entropy_terms(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    return select(t == 0.0f, full_like(t, 0.0f), -t * log(t));
  });
}
