#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void scale(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, load(x, w) * 2.0f);
}
