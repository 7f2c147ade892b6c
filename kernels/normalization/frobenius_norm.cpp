// A tensor divided by its Frobenius norm.
// MultiKernelBench: normalization/frobenius_norm.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void frobenius_norm(In<T> x, PerCore<float> part, Out<T> y) {
  expects(x.size() == y.size() && core_count() <= max_cores);
  float mine = ops::sum_mine<N>(x.size(), [&](auto s) {
    auto t = cast<float>(load(x, s));
    return t * t;
  });
  float norm = ops::sqrt_of(ops::sum_cores(part, mine));
  for (auto w : my_tiles<N>(y))
    store(w, cast<T>(cast<float>(load(x, w)) / norm));
}
