// One step of Adam, in place; c1 and c2 are 1 / (1 - b1^t) and 1 / (1 - b2^t).
// MultiKernelBench: optimizer/adam.
// With S = bfloat16 the states take half the memory.
#include "belay/kernel.h"
using namespace belay;

template <class T, class S>
[[belay::kernel]] void adam(InOut<T> p, In<T> g, InOut<S> m, InOut<S> v,
                            float rate, float b1, float b2, float eps, float c1,
                            float c2) {
  expects(g.size() == p.size() && m.size() == p.size() && v.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto grad = cast<float>(load(g, w));
    auto m1 = cast<float>(load(m, w)) * b1 + grad * (1.0f - b1);
    auto v1 = cast<float>(load(v, w)) * b2 + grad * grad * (1.0f - b2);
    store(m, w.col(), cast<S>(m1));
    store(v, w.col(), cast<S>(v1));
    store(w, cast<T>(cast<float>(load(p, w)) -
                     m1 * (rate * c1) / (sqrt(v1 * c2) + eps)));
  }
}
