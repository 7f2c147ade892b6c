// GELU, by the error function and by the hyperbolic tangent.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void gelu(In<float> x, Out<float> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = load(x, w);
    store(w, t * 0.5f * (erf(t * 0.70710678f) + 1.0f));
  }
}

[[belay::kernel]] void gelu_tanh(In<half> x, Out<half> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<4096>(y)) {
    auto t = cast<float>(load(x, w));
    auto u = tanh((t + t * t * t * 0.044715f) * 0.79788456f);
    store(w, cast<half>(t * 0.5f * (u + 1.0f)));
  }
}
