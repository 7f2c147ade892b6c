// Causal attention of many heads: a query sees the keys up to its own place.
// Several heads of queries share one head of keys and values (grouped queries).
#include "belay/kernel.h"
using namespace belay;

template <i64 D, i64 G, i64 Q = 64, i64 C = 128>
[[belay::kernel]] void attention_causal(In<half, dyn, dyn, D> q,
                                        In<half, dyn, dyn, D> k,
                                        In<half, dyn, dyn, D> v,
                                        Out<half, dyn, dyn, D> o, float scale) {
  expects(q.extent(0) == o.extent(0) && q.extent(1) == o.extent(1));
  expects(o.extent(0) == k.extent(0) * G && v.extent(0) == k.extent(0));
  expects(k.extent(1) == o.extent(1) && v.extent(1) == o.extent(1));
  expects(o.extent(1) <= 1 << 30);
  for (auto w : my_tiles<Q, D>(o)) {
    auto keys = k[w.plane() / G].transposed();
    auto values = v[w.plane() / G];
    auto queries = load(q[w.plane()], w.row(), w.col());
    auto most = column<float>(w, -3e38f), total = column<float>(w, 0.0f);
    auto out = zeros<float>(w);
    for (auto c : tiles<C>(w.row().begin + w.row().size)) {
      auto s = dot(queries, load(keys, w.col(), c)) * scale;
      auto seen = row_index<i32>(w) >= col_index<i32>(c);
      s = select(seen, s, -3e38f);
      auto now = max(most, row_max(s));
      auto fade = exp(most - now);
      auto p = exp(s - now);
      total = total * fade + row_sum(p);
      out = out * fade + dot(cast<half>(p), load(values, c, w.col()));
      most = std::move(now);
    }
    store(w, cast<half>(out / total));
  }
}
