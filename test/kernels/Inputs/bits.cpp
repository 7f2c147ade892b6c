// Shifts and logic of integers.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void bits(In<i32> x, Out<i32> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    auto t = load(x, w);
    store(w, ((t << 2) & (t >> 1)) | ~t);
  }
}
