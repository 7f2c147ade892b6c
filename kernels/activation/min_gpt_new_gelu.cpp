// GELU by the hyperbolic tangent, as GPT-2 has it.
// MultiKernelBench: activation/min_gpt_new_gelu.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void min_gpt_new_gelu(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::gelu_tanh(t); });
}
