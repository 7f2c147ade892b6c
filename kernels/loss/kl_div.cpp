// sum(b * log(b / a)) * scale, where 1 / scale is the size of the batch.
// MultiKernelBench: loss/kl_div_loss.
#include "belay/ops/losses.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void kl_div(In<T> a, In<T> b, PerCore<float> part,
                              Out<float, 1> loss, float scale) {
  expects(a.size() == b.size());
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return ops::kl_divergence(x, y);
  });
  ops::store_sum(loss, part, mine, scale);
}
