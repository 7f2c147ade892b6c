// One step of gradient descent with momentum, in place.
// MultiKernelBench: optimizer/sgd.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void sgd(InOut<T> p, In<T> g, InOut<float> v, float rate,
                           float momentum) {
  expects(g.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto step = load(v, w) * momentum + cast<float>(load(g, w));
    store(v, w.col(), step);
    store(w, cast<T>(cast<float>(load(p, w)) - step * rate));
  }
}
