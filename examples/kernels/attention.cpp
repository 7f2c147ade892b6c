// Attention of one head without a matrix of scores: rows of queries meet
// columns of keys, and what was added up before fades as larger scores come.
// Products on the cube core, exponentials on the vector core; three flags a
// step lead from one to the other.
#include "belay/kernel.h"
using namespace belay;

template <i64 D, i64 Q = 64, i64 C = 128>
[[belay::kernel]] void attention(In<half, dyn, D> q, In<half, D, dyn> k,
                                 In<half, dyn, D> v, Out<half, dyn, D> o,
                                 float scale) {
  expects(q.rows() == o.rows() && k.cols() == v.rows() && v.rows() >= 1);
  for (auto w : my_rows<Q>(o)) {
    auto queries = load(q, w);
    auto out = zeros<float>(w);
    auto total = row_sum(out), most = total - 3e38f;
    for (auto c : tiles<C>(k.cols())) {
      auto s = dot(queries, load(k, span<D>(0, D), c)) * scale;
      auto now = max(most, row_max(s));
      auto fade = exp(most - now);
      auto p = exp(s - now);
      total = total * fade + row_sum(p);
      out = out * fade + dot(cast<half>(p), load(v, c, span<D>(0, D)));
      most = std::move(now);
    }
    store(w, cast<half>(out / total));
  }
}
