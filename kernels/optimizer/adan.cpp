// One step of Adan, in place: momentum of the gradient, of its change, and of
// both together.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void adan(InOut<T> p, In<T> g, InOut<float> before,
                            InOut<float> m, InOut<float> v, InOut<float> n,
                            float rate, float b1, float b2, float b3, float eps,
                            float decay) {
  expects(g.size() == p.size() && before.size() == p.size() &&
          m.size() == p.size() && v.size() == p.size() && n.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto change = grad - load(before, w);
    auto m1 = load(m, w) * (1.0f - b1) + grad * b1;
    auto v1 = load(v, w) * (1.0f - b2) + change * b2;
    auto u = grad + change * (1.0f - b2);
    auto n1 = load(n, w) * (1.0f - b3) + u * u * b3;
    store(before, w.col(), grad);
    store(m, w.col(), m1);
    store(v, w.col(), v1);
    store(n, w.col(), n1);
    auto by = (m1 + v1 * (1.0f - b2)) * rate / (sqrt(n1) + eps);
    store(w, cast<T>((cast<float>(load(p, w)) - by) / (rate * decay + 1.0f)));
  }
}
