// Attention of heads too wide for the unified buffer, in three passes over rows
// of queries: scores, their softmax, and the weighted sum of values. Scores and
// weights of a row stay with the core that made them.
#include "belay/kernel.h"
using namespace belay;

template <i64 Q = 64, i64 C = 128, i64 K = 128>
[[belay::kernel]] void
attention_wide(In<half, dyn, dyn> q, In<half, dyn, dyn> k, In<half, dyn, dyn> v,
               InOut<float, dyn, dyn> scores, InOut<half, dyn, dyn> weights,
               Out<half, dyn, dyn> o, float scale) {
  expects(q.rows() == o.rows() && q.cols() == k.cols());
  expects(k.rows() == v.rows() && v.cols() == o.cols());
  expects(scores.rows() == q.rows() && scores.cols() == k.rows());
  expects(weights.rows() == q.rows() && weights.cols() == k.rows());
  for (auto r : my_spans<Q>(o.rows())) {
    auto most = full<float>(r, span<1>(0, 1), -3e38f);
    auto total = full<float>(r, span<1>(0, 1), 0.0f);
    for (auto c : tiles<C>(k.rows())) {
      auto sum = zeros<float>(r, c);
      for (auto d : tiles<K>(q.cols()))
        sum += dot(load(q, r, d), load(k.transposed(), d, c));
      auto s = sum * scale;
      auto now = max(most, row_max(s));
      total = total * exp(most - now) + row_sum(exp(s - now));
      most = std::move(now);
      store(scores, r, c, s);
    }
    for (auto c : tiles<C>(k.rows()))
      store(weights, r, c, cast<half>(exp(load(scores, r, c) - most) / total));
    for (auto d : tiles<C>(o.cols())) {
      auto sum = zeros<float>(r, d);
      for (auto c : tiles<C>(v.rows()))
        sum += dot(load(weights, r, c), load(v, c, d));
      store(o, r, d, cast<half>(sum));
    }
  }
}
