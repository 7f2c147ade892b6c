// The mean binary cross entropy of probabilities a and targets b; logarithms
// are at least -100.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void bce(In<T> a, In<T> b, PerCore<float> part,
                           Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return -(y * max(log(x), -100.0f) +
             (1.0f - y) * max(log(1.0f - x), -100.0f));
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
