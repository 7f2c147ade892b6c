// One step of Adam with Nesterov's momentum, in place; c1, d1 and c2 are what
// the schedule of momentum and 1 / (1 - b2^t) make of m, g and v.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void nadam(InOut<T> p, In<T> g, InOut<float> m,
                             InOut<float> v, float rate, float b1, float b2,
                             float eps, float c1, float d1, float c2) {
  expects(g.size() == p.size() && m.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto v1 = load(v, w) * b2 + grad * grad * (1.0f - b2);
    store(m, w.col(), m1);
    store(v, w.col(), v1);
    auto up = m1 * c1 + grad * d1;
    store(w,
          cast<T>(cast<float>(load(p, w)) - up * rate / (sqrt(v1 * c2) + eps)));
  }
}
