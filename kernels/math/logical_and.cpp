// 1 where both bytes are not 0, 0 elsewhere.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void logical_and(In<i8> a, In<i8> b, Out<i8> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto s = cast<float>(cast<half>(load(a, w)));
    auto t = cast<float>(cast<half>(load(b, w)));
    auto holds = (s != 0.0f) & (t != 0.0f);
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
