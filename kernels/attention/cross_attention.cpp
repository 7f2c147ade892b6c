// Multi-head attention of queries of one input and keys and values of another,
// with projections. A batch is one core's; q and kv are room for [B, L, E] and
// [2, B, S, E].
// MultiKernelBench: attention/cross_attention.
#include "belay/ops/attention.h"
using namespace belay;

template <class T, i64 D, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
cross_attention(In<T, dyn, dyn, dyn> x, In<T, dyn, dyn, dyn> z,
                In<T, 3, dyn, dyn> weights, In<float, 3, dyn> biases,
                In<T, dyn, dyn> out_weights, In<float> out_bias,
                InOut<T, dyn, dyn, dyn> q, InOut<T, 2, dyn, dyn, dyn> kv,
                Out<T, dyn, dyn, dyn> y, float scale) {
  i64 n = x.extent(0), l = x.extent(1), s = z.extent(1), e = x.extent(2);
  expects(y.extent(0) == n && y.extent(1) == l && y.extent(2) == e);
  expects(q.extent(0) == n && q.extent(1) == l && q.extent(2) == e);
  expects(z.extent(0) == n && z.extent(2) == e && kv.extent(1) == n);
  expects(kv.extent(2) == s && kv.extent(3) == e);
  expects(weights.extent(1) == e && weights.extent(2) == e);
  expects(biases.cols() == e && out_bias.size() == e);
  expects(out_weights.rows() == e && out_weights.cols() == e);
  expects(e % D == 0 && l <= 1 << 28 && s >= 1 && s <= 1 << 28);
  for (i64 b = core_index(); b < n; b += core_count())
    ops::attention_layer<D, 1, M, N, K>(
        x[b], z[b], weights[0], weights[1], weights[2], out_weights, biases[0],
        biases[1], biases[2], out_bias, q[b], kv[0][b], kv[1][b], y[b], scale,
        1 << 29, 1 << 29);
}
