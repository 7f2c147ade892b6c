// Attention without softmax: q' (k'^T v) with x' = max(x, 0) + 1e-6, for each
// plane on one core. The product of keys and values, a scratch of [B, E, D], is
// transposed, so that both operands that are changed are as memory has them.
// MultiKernelBench: attention/linear_attention.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 M = 64, i64 N = 128, i64 K = 64>
[[belay::kernel]] void
linear_attention(In<T, dyn, dyn, dyn> q, In<T, dyn, dyn, dyn> k,
                 In<T, dyn, dyn, dyn> v, InOut<T, dyn, dyn, dyn> kv,
                 Out<T, dyn, dyn, dyn> o) {
  expects(q.extent(0) == o.extent(0) && k.extent(0) == o.extent(0));
  expects(v.extent(0) == o.extent(0) && kv.extent(0) == o.extent(0));
  expects(q.extent(1) == o.extent(1) && k.extent(1) == v.extent(1));
  expects(k.extent(2) == q.extent(2) && kv.extent(2) == q.extent(2));
  expects(v.extent(2) == o.extent(2) && kv.extent(1) == o.extent(2));
  auto positive = [](const auto &t) {
    return cast<T>(max(cast<float>(t), 0.0f) + 1e-6f);
  };
  for (i64 b = core_index(); b < o.extent(0); b += core_count()) {
    for (auto e : tiles<M>(kv.extent(1)))
      for (auto d : tiles<N>(kv.extent(2))) {
        auto sum = zeros<float>(e, d);
        for (auto s : tiles<K>(k.extent(1)))
          sum += dot(load(v[b].transposed(), e, s), positive(load(k[b], s, d)));
        store(kv[b], e, d, cast<T>(sum));
      }
    for (auto r : tiles<M>(o.extent(1)))
      for (auto e : tiles<N>(o.extent(2))) {
        auto sum = zeros<float>(r, e);
        for (auto d : tiles<K>(q.extent(2)))
          sum +=
              dot(positive(load(q[b], r, d)), load(kv[b].transposed(), d, e));
        store(o[b], r, e, cast<T>(sum));
      }
  }
}
