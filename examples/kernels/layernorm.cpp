// Layer normalisation: half in and out, float inside.
#include "belay/kernel.h"
using namespace belay;

template <i64 C>
[[belay::kernel]] void layernorm(In<half, dyn, C> x, In<float, C> gamma,
                                 In<float, C> beta, Out<half, dyn, C> y,
                                 float eps) {
  expects(x.rows() == y.rows());
  auto g = load(gamma), b = load(beta);
  for (auto rows : my_rows<4>(y)) {
    auto t = cast<float>(load(x, rows));
    auto d = t - row_mean(t);
    auto s = rsqrt(row_mean(d * d) + eps);
    store(rows, cast<half>(d * s * g + b));
  }
}
