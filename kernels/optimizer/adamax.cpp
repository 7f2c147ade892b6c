// One step of Adamax, in place; rate is divided by 1 - b1^t.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void adamax(InOut<T> p, In<T> g, InOut<float> m,
                              InOut<float> u, float rate, float b1, float b2,
                              float eps) {
  expects(g.size() == p.size() && m.size() == p.size() && u.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto grad = cast<float>(load(g, w));
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto u1 = max(load(u, w) * b2, abs(grad) + eps);
    store(m, w.col(), m1);
    store(u, w.col(), u1);
    store(w, cast<T>(cast<float>(load(p, w)) - m1 * rate / u1));
  }
}
