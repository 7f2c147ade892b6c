#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void mixed(In<half> x, In<float> y, Out<float> z) {
  expects(x.size() == z.size() && y.size() == z.size());
  for (auto w : my_tiles<2048>(z))
    store(w, load(x, w) + load(y, w));
}
