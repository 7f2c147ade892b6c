// mean(max(0, |a - p| - |a - n| + margin)) with Euclidean distances of rows.
// MultiKernelBench: loss/triplet_margin_loss.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void triplet_margin(In<T, dyn, dyn> a, In<T, dyn, dyn> p,
                                      In<T, dyn, dyn> n, PerCore<float> part,
                                      Out<float, 1> loss, float margin) {
  expects(a.rows() == p.rows() && a.cols() == p.cols() && a.rows() >= 1);
  expects(a.rows() == n.rows() && a.cols() == n.cols());
  expects(core_count() <= max_cores);
  float mine = 0;
  for (i64 r = core_index(); r < a.rows(); r += core_count()) {
    auto near = zeros<1, N, float>(), far = zeros<1, N, float>();
    for (auto c : tiles<N>(a.cols())) {
      auto x = cast<float>(load(a[r], c, T(0)));
      auto u = x - cast<float>(load(p[r], c, T(0))) + 1e-6f;
      auto v = x - cast<float>(load(n[r], c, T(0))) + 1e-6f;
      near = near + u * u;
      far = far + v * v;
    }
    mine +=
        max(0.0f, ops::sqrt_of(sum(near)) - ops::sqrt_of(sum(far)) + margin);
  }
  ops::store_sum(loss, part, mine, 1.0f / float(a.rows()));
}
