// The gradient of binary cross entropy with respect to logits, scaled.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void bce_with_logits_backward(In<T> logits, In<T> target,
                                                Out<T> dx, float scale) {
  expects(logits.size() == dx.size() && target.size() == dx.size());
  ops::map<2048>(logits, target, dx, [&](const auto &s, const auto &t) {
    return (1.0f / (exp(-s) + 1.0f) - t) * scale;
  });
}
