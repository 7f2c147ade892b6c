// One step of Adam, in place.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void adam(InOut<float> p, In<float> g, InOut<float> m,
                            InOut<float> v, float rate, float b1, float b2,
                            float eps, float c1, float c2) {
  expects(g.size() == p.size() && m.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto grad = load(g, w);
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto v1 = load(v, w) * b2 + grad * grad * (1.0f - b2);
    store(m, w.col(), m1);
    store(v, w.col(), v1);
    store(w, load(p, w) - m1 * (rate * c1) / (sqrt(v1 * c2) + eps));
  }
}
