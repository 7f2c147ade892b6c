// Kernels that PTO cannot express.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void has_tanh(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, tanh(load(x, w)));
}

[[belay::kernel]] void is_strided(In<float> x, Out<float> y) {
  expects(3 * x.size() == y.size());
  auto third = y.strided(0, 3);
  for (auto w : my_tiles<512>(third))
    store(w, load(x, w));
}

[[belay::kernel]] void is_small(Out<i8> y) {
  for (auto w : my_tiles<4096>(y))
    store(w, full<i8>(w, 1));
}

[[belay::kernel]] void is_long(Out<i32> y) {
  for (auto w : my_tiles<64>(y))
    store(w, col_index<i32>(w));
}

[[belay::kernel]] void makes_mask(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = load(x, w);
    store(w, select(full_like(t > 0.0f, true), t, 0.0f));
  }
}

[[belay::kernel]] void meets(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, load(x, w));
  sync_cores();
}
