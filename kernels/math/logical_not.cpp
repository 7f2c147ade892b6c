// 1 where a byte is 0, 0 elsewhere.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void logical_not_of(In<i8> x, Out<i8> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto holds = cast<half>(load(x, w)) == half(0);
    store(w, cast<i8>(select(holds, full_like(holds, half(1)), half(0))));
  }
}
