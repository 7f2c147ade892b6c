// x, kept between two bounds.
// MultiKernelBench: activation/hardtanh.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hardtanh(In<T> x, Out<T> y, float low, float high) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return clamp(t, low, high); });
}
