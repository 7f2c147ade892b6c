// The first step of SAM: parameters moved along the gradient, by rho over its
// norm.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void sam_perturb(In<T> p, In<T> g, PerCore<float> part,
                                   Out<T> q, float rho) {
  expects(p.size() == q.size() && g.size() == q.size());
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(g.size(), [&](auto s) {
    auto t = cast<float>(load(g, s));
    return t * t;
  });
  float scale = rho / (ops::sqrt_of(ops::sum_cores(part, mine)) + 1e-12f);
  for (auto w : my_tiles<N / 2>(q))
    store(w,
          cast<T>(cast<float>(load(p, w)) + cast<float>(load(g, w)) * scale));
}
