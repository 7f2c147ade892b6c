// Classifier-free guidance: without + (with - without) * scale.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void guidance(In<T> with, In<T> without, Out<T> y,
                                float scale) {
  expects(with.size() == y.size() && without.size() == y.size());
  ops::map<2048>(with, without, y, [&](const auto &a, const auto &b) {
    return b + (a - b) * scale;
  });
}
