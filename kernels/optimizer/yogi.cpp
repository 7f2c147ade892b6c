// One step of Yogi, in place: the second moment moves by the sign of what it
// lacks.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void yogi(InOut<T> p, In<T> g, InOut<float> m, InOut<float> v,
                            float rate, float b1, float b2, float eps, float c1,
                            float c2) {
  expects(g.size() == p.size() && m.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto old = load(v, w), q = grad * grad;
    auto by = q * (1.0f - b2);
    auto v1 =
        old - select(old > q, by, select(old < q, -by, full_like(by, 0.0f)));
    store(m, w.col(), m1);
    store(v, w.col(), v1);
    store(w, cast<T>(cast<float>(load(p, w)) -
                     m1 * (rate * c1) / (sqrt(v1 * c2) + eps)));
  }
}
