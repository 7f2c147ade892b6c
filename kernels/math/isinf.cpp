// 1 where x is an infinity, 0 elsewhere, as bytes.
#include "belay/kernel.h"
using namespace belay;

template <class T> [[belay::kernel]] void isinf_of(In<T> x, Out<i8> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto t = cast<float>(load(x, w));
    auto holds = abs(t) == __builtin_inff();
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
