// One step against the sign of the gradient, in place.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void sign_sgd(InOut<T> p, In<T> g, float rate) {
  expects(g.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto one = full_like(grad, rate), zero = full_like(grad, 0.0f);
    auto step = select(grad > 0.0f, one, zero) - select(grad < 0.0f, one, zero);
    store(w, cast<T>(cast<float>(load(p, w)) - step));
  }
}
