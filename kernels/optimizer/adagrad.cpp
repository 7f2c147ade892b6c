// One step of Adagrad, in place.
// MultiKernelBench: optimizer/adagrad.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void adagrad(InOut<T> p, In<T> g, InOut<float> a, float rate,
                               float eps) {
  expects(g.size() == p.size() && a.size() == p.size());
  for (auto w : my_tiles<2048>(p)) {
    auto grad = cast<float>(load(g, w));
    auto sums = load(a, w) + grad * grad;
    store(a, w.col(), sums);
    store(w,
          cast<T>(cast<float>(load(p, w)) - grad * rate / (sqrt(sums) + eps)));
  }
}
