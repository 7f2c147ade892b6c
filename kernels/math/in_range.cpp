// 1 where x is at least low and below high, as bytes.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void in_range(In<T> x, Out<i8> y, float low, float high) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<2048>(y)) {
    auto t = cast<float>(load(x, w));
    auto holds = (t >= low) & (t < high);
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
