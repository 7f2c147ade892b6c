// 1 where a and b differ, 0 elsewhere, as bytes; NaN differs from all.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void not_equal(In<T> a, In<T> b, Out<i8> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto s = cast<float>(load(a, w)), t = cast<float>(load(b, w));
    auto holds = !(s == t);
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
