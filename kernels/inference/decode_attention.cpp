// Attention of one query for each head over a cache of keys and values
// k[h][t][D], by the vector unit: what the decoding of one token needs.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 D, i64 N = 32>
[[belay::kernel]] void decode_attention(In<T, dyn, D> q, In<T, dyn, dyn, D> k,
                                        In<T, dyn, dyn, D> v, Out<T, dyn, D> y,
                                        float scale) {
  expects(q.rows() == y.rows() && k.extent(0) == y.rows() &&
          v.extent(0) == y.rows());
  expects(k.extent(1) == v.extent(1) && k.extent(1) >= 1);
  for (i64 h = core_index(); h < y.rows(); h += core_count()) {
    auto query = cast<float>(load(q[h])) * scale;
    auto out = zeros<1, D, float>();
    auto most = full<1, 1, float>(ops::lowest), total = zeros<1, 1, float>();
    for (auto t : tiles<N>(k.extent(1))) {
      auto s = row_sum(cast<float>(load(k[h], t, span<D>(0, D))) * query);
      auto now = max(most, col_max(s));
      auto fade = exp(most - now);
      auto p = exp(s - now);
      total = total * fade + col_sum(p);
      out = out * fade + col_sum(cast<float>(load(v[h], t, span<D>(0, D))) * p);
      most = copy(now);
    }
    store(y[h], span<D>(0, D), cast<T>(out / total));
  }
}
