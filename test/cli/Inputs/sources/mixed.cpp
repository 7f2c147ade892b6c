#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void mixed(In<half, dyn> x, Out<float, dyn> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w));
}
