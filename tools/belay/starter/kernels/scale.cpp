// y = factor * x, proven: no access outside of x and y, no race, for every
// launch that `expects` admits. Any length; the last tile may be short.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void scale(In<float> x, Out<float> y, float factor) {
  expects(x.size() == y.size());
  for (auto tile : my_tiles<4096>(y)) // this core's part of y
    store(tile, load(x, tile) * factor);
}
