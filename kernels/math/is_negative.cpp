// 1 where x is below 0, 0 elsewhere, as bytes; -0 is not below 0.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void is_negative(In<T> x, Out<i8> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto t = cast<float>(load(x, w));
    auto holds = t < 0.0f;
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
