// log2(2^a + 2^b), without overflow.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void logaddexp2(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    auto m = max(s, t);
    return m +
           log(exp(abs(s - t) * -0.69314718056f) + 1.0f) * 1.4426950408889634f;
  });
}
