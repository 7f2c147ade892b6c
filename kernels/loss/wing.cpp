// The mean wing loss of a - b: logarithmic up to width, linear beyond it.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void wing(In<T> a, In<T> b, PerCore<float> part,
                            Out<float, 1> loss, float width, float curve,
                            float offset) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto d = abs(x - y);
    return select(d < width, log(d / curve + 1.0f) * width, d - offset);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
