// One step of AdaBelief, in place: the second moment is that of what the first
// did not expect.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void adabelief(InOut<T> p, In<T> g, InOut<float> m,
                                 InOut<float> s, float rate, float b1, float b2,
                                 float eps, float c1, float c2) {
  expects(g.size() == p.size() && m.size() == p.size() && s.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto d = grad - m1;
    auto s1 = load(s, w) * b2 + d * d * (1.0f - b2) + eps;
    store(m, w.col(), m1);
    store(s, w.col(), s1);
    store(w, cast<T>(cast<float>(load(p, w)) -
                     m1 * (rate * c1) / (sqrt(s1 * c2) + eps)));
  }
}
