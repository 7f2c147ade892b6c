// sqrt(re^2 + im^2) of complex numbers in two tensors.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void magnitude(In<T> re, In<T> im, Out<T> y) {
  expects(re.size() == y.size() && im.size() == y.size());
  ops::map<2048>(re, im, y, [](const auto &a, const auto &b) {
    return sqrt(a * a + b * b);
  });
}
