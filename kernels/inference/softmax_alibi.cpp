// Softmax of scaled scores x[query][key] with a bias of slope * (key - query).
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void softmax_alibi(In<T, dyn, C> x, Out<T, dyn, C> y,
                                     float scale, float slope) {
  expects(x.rows() == y.rows() && x.rows() < 1 << 24);
  for (i64 q = core_index(); q < y.rows(); q += core_count()) {
    auto distance = cast<float>(iota<C, i32>(i32(-q)));
    auto t = cast<float>(load(x[q])) * scale + distance * slope;
    auto e = exp(t - row_max(t));
    store(y[q], span<C>(0, C), cast<T>(e / row_sum(e)));
  }
}
