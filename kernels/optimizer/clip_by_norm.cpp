// A gradient, scaled down such that its norm is at most a bound.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void clip_by_norm(In<T> g, PerCore<float> part, Out<T> y,
                                    float bound) {
  expects(g.size() == y.size() && core_count() <= max_cores);
  float mine = ops::sum_mine<N>(g.size(), [&](auto s) {
    auto t = cast<float>(load(g, s));
    return t * t;
  });
  float norm = ops::sqrt_of(ops::sum_cores(part, mine));
  float scale = bound / max(norm, bound);
  for (auto w : my_tiles<N>(y))
    store(w, cast<T>(cast<float>(load(g, w)) * scale));
}
