// x + value * a / b.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void addcdiv(In<T> x, In<T> a, In<T> b, Out<T> y,
                               float value) {
  expects(x.size() == y.size() && a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto quotient = cast<float>(load(a, w)) / cast<float>(load(b, w));
    store(w, cast<T>(cast<float>(load(x, w)) + quotient * value));
  }
}
