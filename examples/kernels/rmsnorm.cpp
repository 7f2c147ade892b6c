// Root mean square normalisation.
#include "belay/kernel.h"
using namespace belay;

template <i64 C>
[[belay::kernel]] void rmsnorm(In<float, dyn, C> x, In<float, C> gamma,
                               Out<float, dyn, C> y, float eps) {
  expects(x.rows() == y.rows());
  auto g = load(gamma);
  for (auto rows : my_rows<4>(y)) {
    auto t = load(x, rows);
    store(rows, t * rsqrt(row_mean(t * t) + eps) * g);
  }
}
