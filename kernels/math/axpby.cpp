// alpha * a + beta * b.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void axpby(In<T> a, In<T> b, Out<T> y, float alpha,
                             float beta) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map(a, b, y,
           [&](const auto &s, const auto &t) { return s * alpha + t * beta; });
}
