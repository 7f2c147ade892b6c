// sin and cos of each time times D frequencies: embeddings of the steps of
// diffusion.
#include "belay/kernel.h"
using namespace belay;

template <i64 D>
[[belay::kernel]] void sinusoid_embedding(In<float> times,
                                          In<float, D> frequencies,
                                          Out<float, dyn, 2 * D> y) {
  expects(times.size() == y.rows());
  auto f = load(frequencies);
  for (auto rows : my_spans<4>(y.rows())) {
    auto angle = load_column(times, rows) * f;
    store(y, rows, span<D>(0, D), sin(angle));
    store(y, rows, span<D>(D, D), cos(angle));
  }
}
