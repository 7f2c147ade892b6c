// a | b of whole numbers, bit by bit.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void bitwise_or(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto s = load(a, w), t = load(b, w);
    store(w, s | t);
  }
}
