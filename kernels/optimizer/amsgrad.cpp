// One step of AMSGrad, in place: Adam with the largest second moment so far.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void
amsgrad(InOut<T> p, In<T> g, InOut<float> m, InOut<float> v, InOut<float> top,
        float rate, float b1, float b2, float eps, float c1, float c2) {
  expects(g.size() == p.size() && m.size() == p.size() &&
          v.size() == p.size() && top.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto m1 = load(m, w) * b1 + grad * (1.0f - b1);
    auto v1 = load(v, w) * b2 + grad * grad * (1.0f - b2);
    store(m, w.col(), m1);
    store(v, w.col(), v1);
    auto most = max(load(top, w), v1);
    store(top, w.col(), most);
    store(w, cast<T>(cast<float>(load(p, w)) -
                     m1 * (rate * c1) / (sqrt(most * c2) + eps)));
  }
}
