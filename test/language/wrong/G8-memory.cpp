// G8: all that is alive at once fits into the unified buffer, or nothing is
// emitted.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void tile_larger_than_the_buffer(In<float> x, Out<float> y) { // local-capacity: bytes of the unified buffer
  expects(x.size() == y.size());
  for (auto w : my_tiles<65536>(y))
    //= for (auto w : my_tiles<8192>(y))
    store(w, load(x, w));
}
