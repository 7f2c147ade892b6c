// One step of RMSprop, in place.
// MultiKernelBench: optimizer/rmsprop.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void rmsprop(InOut<T> p, In<T> g, InOut<float> v, float rate,
                               float decay, float eps) {
  expects(g.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto grad = cast<float>(load(g, w));
    auto square = load(v, w) * decay + grad * grad * (1.0f - decay);
    store(v, w.col(), square);
    store(w, cast<T>(cast<float>(load(p, w)) -
                     grad * rate / (sqrt(square) + eps)));
  }
}
