// Attention of heads of any width, softmax(q k' * scale) v, in three passes
// over some queries: scores, their softmax, and the sums of values that it
// weights. Scores of a query stay with the core that made them. Batches and
// heads are planes: q is [B, L, D], k [B, S, D], v [B, S, E], scores [B, L, S].
// MultiKernelBench: attention/scaled_dot_product_attention,
// attention/scaled_dot_product_attention_inference,
// attention/scaled_dot_product_attention_long_context,
// attention/kv_cached_attention_inference,
// attention/kv_cached_chat_batch_attention,
// attention/kv_cached_speculative_attention.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 Q = 64, i64 C = 128, i64 K = 128>
[[belay::kernel]] void
attention_wide(In<T, dyn, dyn, dyn> q, In<T, dyn, dyn, dyn> k,
               In<T, dyn, dyn, dyn> v, InOut<T, dyn, dyn, dyn> scores,
               Out<T, dyn, dyn, dyn> o, float scale) {
  expects(q.extent(0) == o.extent(0) && k.extent(0) == o.extent(0));
  expects(v.extent(0) == o.extent(0) && scores.extent(0) == o.extent(0));
  expects(q.extent(1) == o.extent(1) && scores.extent(1) == o.extent(1));
  expects(k.extent(1) == v.extent(1) && scores.extent(2) == v.extent(1));
  expects(q.extent(2) == k.extent(2) && v.extent(2) == o.extent(2));
  for (i64 b = 0; b < o.extent(0); ++b)
    for (auto r : my_spans<Q>(o.extent(1))) {
      auto most = column<float>(r, -3e38f), total = column<float>(r, 0.0f);
      for (auto c : tiles<C>(k.extent(1))) {
        auto s = ops::product<K>(q[b], k[b].transposed(), r, c) * scale;
        auto now = max(most, row_max(s));
        total = total * exp(most - now) + row_sum(exp(s - now));
        most = std::move(now);
        store(scores[b], r, c, cast<T>(s));
      }
      for (auto c : tiles<C>(k.extent(1)))
        store(scores[b], r, c,
              cast<T>(exp(cast<float>(load(scores[b], r, c)) - most) / total));
      for (auto d : tiles<C>(o.extent(2)))
        store(o[b], r, d, cast<T>(ops::product<C>(scores[b], v[b], r, d)));
    }
}
