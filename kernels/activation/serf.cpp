// x * erf(log(1 + exp(x))).
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void serf(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y,
                 [&](const auto &t) { return t * erf(ops::softplus(t)); });
}
