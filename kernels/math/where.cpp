// a where a byte is not 0, b elsewhere.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void where(In<i8> c, In<T> a, In<T> b, Out<T> y) {
  expects(c.size() == y.size() && a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto chosen = cast<half>(load(c, w)) != half(0);
    auto s = cast<float>(load(a, w)), t = cast<float>(load(b, w));
    store(w, cast<T>(select(chosen, s, t)));
  }
}
