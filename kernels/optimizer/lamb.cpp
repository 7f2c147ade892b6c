// One step of LAMB: Adam's direction, scaled by the norms of parameters and
// step. MultiKernelBench: optimizer/lamb.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void lamb(In<T> p, In<float> m, In<float> v,
                            PerCore<float> of_p, PerCore<float> of_step,
                            Out<T> q, float rate, float eps) {
  expects(p.size() == q.size() && m.size() == q.size() && v.size() == q.size());
  expects(core_count() <= max_cores);
  auto step = [&](auto s) { return load(m, s) / (sqrt(load(v, s)) + eps); };
  float pp = ops::sum_mine<N>(q.size(), [&](auto s) {
    auto t = cast<float>(load(p, s));
    return t * t;
  });
  float ss = ops::sum_mine<N>(q.size(), [&](auto s) {
    auto t = step(s);
    return t * t;
  });
  store_mine(of_step, ss);
  float length = ops::sqrt_of(ops::sum_cores(of_p, pp));
  float trust = length / (ops::sqrt_of(sum(load_all(of_step))) + eps);
  for (auto w : my_tiles<N>(q))
    store(w, cast<T>(cast<float>(load(p, w)) - step(w.col()) * (rate * trust)));
}
