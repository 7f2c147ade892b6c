// mean(log(1 + exp(-a * b))) with b of -1 or 1.
#include "belay/ops/activations.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void soft_margin(In<T> a, In<T> b, PerCore<float> part,
                                   Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return ops::softplus(x * y * -1.0f);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
