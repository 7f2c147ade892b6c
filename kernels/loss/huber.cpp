// The mean of the Huber loss of a - b, with delta 1 that of smooth_l1.
// MultiKernelBench: loss/huber_loss.
#include "belay/ops/losses.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void huber(In<T> a, In<T> b, PerCore<float> part,
                             Out<float, 1> loss, float delta) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return ops::huber(x - y, delta);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
