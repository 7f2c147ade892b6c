// The largest element of all.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void max_all(In<T> x, PerCore<float> part, Out<float, 1> y) {
  expects(core_count() <= max_cores && x.size() >= 1);
  auto lanes = full<1, N, float>(-__builtin_inff());
  for (auto s : my_spans<N>(x.size()))
    lanes = max(lanes, cast<float>(load(x, s, T(-__builtin_inff()))));
  store_mine(part, maximum(lanes));
  sync_cores();
  auto all = load_all(part);
  if (first_core())
    store(y, 0, maximum(all));
}
