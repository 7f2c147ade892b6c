// cap * tanh(x / cap), which keeps logits within a bound, as Gemma does.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void softcap(In<T> x, Out<T> y, float cap) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) { return tanh(t / cap) * cap; });
}
