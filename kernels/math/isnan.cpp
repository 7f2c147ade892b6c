// 1 where x is not a number, 0 elsewhere, as bytes.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void isnan_of(In<T> x, Out<i8> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = cast<float>(load(x, w));
    auto number = t == t;
    auto bits = select(number, full_like(t, half(0)), half(1));
    store(w, cast<i8>(bits));
  }
}
