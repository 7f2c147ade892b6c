// One step of RMSprop with the variance of gradients and momentum, in place.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void rmsprop_centered(InOut<T> p, In<T> g, InOut<float> v,
                                        InOut<float> mean, InOut<float> step,
                                        float rate, float decay, float momentum,
                                        float eps) {
  expects(g.size() == p.size() && v.size() == p.size() &&
          mean.size() == p.size() && step.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto v1 = load(v, w) * decay + grad * grad * (1.0f - decay);
    auto a = load(mean, w) * decay + grad * (1.0f - decay);
    auto s =
        load(step, w) * momentum + grad / (sqrt(max(v1 - a * a, 0.0f)) + eps);
    store(v, w.col(), v1);
    store(mean, w.col(), a);
    store(step, w.col(), s);
    store(w, cast<T>(cast<float>(load(p, w)) - s * rate));
  }
}
