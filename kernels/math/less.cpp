// 1 where a < b, 0 elsewhere, as bytes.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void less(In<T> a, In<T> b, Out<i8> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto holds = cast<float>(load(a, w)) < cast<float>(load(b, w));
    auto bits = select(holds, full_like(holds, half(1)), half(0));
    store(w, cast<i8>(bits));
  }
}
