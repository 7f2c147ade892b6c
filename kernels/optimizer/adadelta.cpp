// One step of Adadelta, in place.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void adadelta(InOut<T> p, In<T> g, InOut<float> squares,
                                InOut<float> steps, float rate, float decay,
                                float eps) {
  expects(g.size() == p.size() && squares.size() == p.size());
  expects(steps.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto s = load(squares, w) * decay + grad * grad * (1.0f - decay);
    auto old = load(steps, w);
    auto step = sqrt(old + eps) / sqrt(s + eps) * grad;
    store(squares, w.col(), s);
    store(steps, w.col(), old * decay + step * step * (1.0f - decay));
    store(w, cast<T>(cast<float>(load(p, w)) - step * rate));
  }
}
