// Attention of many heads of D columns, without a matrix of scores; G heads of
// queries share one of keys and values. Batches and heads are planes: q is [B *
// H, L, D], k and v [B * H / G, S, D].
#include "belay/ops/attention.h"
using namespace belay;

template <class T, i64 D, i64 G = 1, i64 Q = 64, i64 C = 128>
[[belay::kernel]] void attention(In<T, dyn, dyn, D> q, In<T, dyn, dyn, D> k,
                                 In<T, dyn, dyn, D> v, Out<T, dyn, dyn, D> o,
                                 float scale) {
  expects(q.extent(0) == o.extent(0) && q.extent(1) == o.extent(1));
  expects(o.extent(0) == k.extent(0) * G && v.extent(0) == k.extent(0));
  expects(k.extent(1) == v.extent(1) && v.extent(1) >= 1);
  for (auto w : my_tiles<Q, D>(o)) {
    i64 h = w.plane();
    auto t = ops::attend<C>(q[h], w.row(), w.col(), k[h / G], v[h / G], w.col(),
                            0, k.extent(1), scale,
                            [](const auto &s, auto) { return copy(s); });
    store(w, cast<T>(t));
  }
}
