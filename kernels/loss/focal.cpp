// The mean focal loss of logits a and targets b of 0 or 1: cross entropy times
// (1 - p)^2, where p is the probability of the target.
#include "belay/ops/losses.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void focal(In<T> a, In<T> b, PerCore<float> part,
                             Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto wrong = sigmoid(x * (1.0f - y * 2.0f));
    return wrong * wrong * ops::binary_cross_entropy(x, y);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
