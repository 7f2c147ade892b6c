// Forgets that the last tile is short.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void careless(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, load(x, span<64>(w.col().begin, 64)));
}
