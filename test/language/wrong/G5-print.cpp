// G5: what was moved is not printed.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void after_it_was_moved(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    auto t = load(x, w);
    auto u = std::move(t);
    print(t); // use-after-move: 't' is used after it was moved
    //= print(u);
    store(w, u);
  }
}
