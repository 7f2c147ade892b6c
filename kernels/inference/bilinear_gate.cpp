// a * b of the halves a and b of each row: a gated unit without an activation.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void bilinear_gate(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() * 2);
  ops::map_halves(x, y, [](const auto &a, const auto &b) { return a * b; });
}
