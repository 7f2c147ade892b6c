// One step of Lion: the sign of an interpolated momentum, in place.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void lion(InOut<T> p, In<T> g, InOut<float> m, float rate,
                            float b1, float b2, float decay) {
  expects(g.size() == p.size() && m.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto grad = cast<float>(load(g, w));
    auto old = load(m, w), mixed = old * b1 + grad * (1.0f - b1);
    store(m, w.col(), old * b2 + grad * (1.0f - b2));
    auto one = full_like(grad, 1.0f), zero = full_like(grad, 0.0f);
    auto sign =
        select(mixed > 0.0f, one, zero) - select(mixed < 0.0f, one, zero);
    auto t = cast<float>(load(p, w));
    store(w, cast<T>(t - (sign + t * decay) * rate));
  }
}
