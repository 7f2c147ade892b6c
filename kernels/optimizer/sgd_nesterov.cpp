// One step of gradient descent with Nesterov's momentum and weight decay, in
// place.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void sgd_nesterov(InOut<T> p, In<T> g, InOut<float> v,
                                    float rate, float momentum, float decay) {
  expects(g.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto old = cast<float>(load(p, w));
    auto d = grad + old * decay;
    auto step = load(v, w) * momentum + d;
    store(v, w.col(), step);
    store(w, cast<T>(old - (d + step * momentum) * rate));
  }
}
