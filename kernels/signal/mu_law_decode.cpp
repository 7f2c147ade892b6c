// sign(x) ((1 + mu)^|x| - 1) / mu: the inverse of mu-law encoding.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mu_law_decode(In<T> x, Out<T> y, float mu) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y, [&](const auto &t) {
    auto m = (exp(abs(t) * log(full_like(t, mu + 1.0f))) - 1.0f) / mu;
    return select(t < 0.0f, -m, m);
  });
}
