#include "belay/kernel.h"
using namespace belay;
[[belay::kernel]] void copies(In<float> x, Out<float> y) {
  for (auto w : my_tiles<1024>(y))
    store(w, load(x, w));
}
