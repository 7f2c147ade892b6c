// Swish: x / (1 + exp(-beta * x)), with a function of the user's own.
#include "belay/kernel.h"
using namespace belay;

template <i64 R, i64 C>
Tile<R, C, float> swish_of(const Tile<R, C, float> &t, float beta) {
  return t / (exp(t * -beta) + 1.0f);
}

[[belay::kernel]] void swish(In<float> x, Out<float> y, float beta) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y))
    store(w, swish_of(load(x, w), beta));
}
