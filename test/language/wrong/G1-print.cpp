// G1: what is printed are numbers of a tile.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void a_mask(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    auto t = load(x, w);
    print(t > 0.0f); // compile-error: no matching function for call to 'print'
    //= print(select(t > 0.0f, full_like(t, 1.0f), 0.0f));
    store(w, t);
  }
}
[[belay::kernel]] void a_view(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    print(x); // compile-error: no matching function for call to 'print'
    //= print(load(x, w));
    store(w, load(x, w));
  }
}
[[belay::kernel]] void no_elements(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y)) {
    auto t = load(x, w);
    print<8, 0>(t); // compile-error: no matching function for call to 'print'
    //= print<8, 1>(t);
    store(w, t);
  }
}
