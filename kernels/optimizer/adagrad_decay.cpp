// One step of Adagrad with weight decay and a rate that falls, in place.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void adagrad_decay(InOut<T> p, In<T> g, InOut<float> a,
                                     float rate, float decay, float eps) {
  expects(g.size() == p.size() && a.size() == p.size());
  for (auto w : my_tiles<1024>(p)) {
    auto grad = cast<float>(load(g, w));
    auto old = cast<float>(load(p, w));
    auto d = grad + old * decay;
    auto sums = load(a, w) + d * d;
    store(a, w.col(), sums);
    store(w, cast<T>(old - d * rate / (sqrt(sums) + eps)));
  }
}
