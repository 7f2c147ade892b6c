// Causal multi-head attention of one input: projections to queries, keys and
// values, attention of heads of D columns, and a layer of what they attend to.
// A batch is one core's; qkv is room for [3, B, L, E].
// MultiKernelBench: attention/causal_attention.
#include "belay/ops/attention.h"
using namespace belay;

template <class T, i64 D, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
causal_attention(In<T, dyn, dyn, dyn> x, In<T, 3, dyn, dyn> weights,
                 In<float, 3, dyn> biases, In<T, dyn, dyn> out_weights,
                 In<float> out_bias, InOut<T, 3, dyn, dyn, dyn> qkv,
                 Out<T, dyn, dyn, dyn> y, float scale) {
  i64 n = x.extent(0), l = x.extent(1), e = x.extent(2);
  expects(y.extent(0) == n && y.extent(1) == l && y.extent(2) == e);
  expects(qkv.extent(1) == n && qkv.extent(2) == l && qkv.extent(3) == e);
  expects(weights.extent(1) == e && weights.extent(2) == e);
  expects(biases.cols() == e && out_bias.size() == e);
  expects(out_weights.rows() == e && out_weights.cols() == e);
  expects(e % D == 0 && l <= 1 << 29);
  for (i64 b = core_index(); b < n; b += core_count())
    ops::attention_layer<D, 1, M, N, K>(
        x[b], x[b], weights[0], weights[1], weights[2], out_weights, biases[0],
        biases[1], biases[2], out_bias, qkv[0][b], qkv[1][b], qkv[2][b], y[b],
        scale, 1 << 29, 0);
}
