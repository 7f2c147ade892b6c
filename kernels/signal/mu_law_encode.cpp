// sign(x) log(1 + mu |x|) / log(1 + mu): samples with more levels near 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mu_law_encode(In<T> x, Out<T> y, float mu) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y, [&](const auto &t) {
    auto m = log(abs(t) * mu + 1.0f) / log(full_like(t, mu + 1.0f));
    return select(t < 0.0f, -m, m);
  });
}
