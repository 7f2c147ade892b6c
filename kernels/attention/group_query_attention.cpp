// Attention with projections, in which G heads of queries, of D columns each,
// share keys and values; all of them if there is one head of keys. A batch is
// one core's; q, k and v are room for it.
// MultiKernelBench: attention/group_query_attention,
// attention/multi_query_attention.
#include "belay/ops/attention.h"
using namespace belay;

template <class T, i64 D, i64 G, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
group_query_attention(In<T, dyn, dyn, dyn> x, In<T, dyn, dyn> wq,
                      In<T, dyn, dyn> wk, In<T, dyn, dyn> wv,
                      In<T, dyn, dyn> wo, In<float> bq, In<float> bk,
                      In<float> bv, In<float> bo, InOut<T, dyn, dyn, dyn> q,
                      InOut<T, dyn, dyn, dyn> k, InOut<T, dyn, dyn, dyn> v,
                      Out<T, dyn, dyn, dyn> y, float scale) {
  i64 n = x.extent(0), l = x.extent(1), e = x.extent(2), s = k.extent(2);
  expects(y.extent(0) == n && y.extent(1) == l && y.extent(2) == e);
  expects(q.extent(0) == n && q.extent(1) == l && q.extent(2) == e);
  expects(k.extent(0) == n && k.extent(1) == l && e == s * G);
  expects(v.extent(0) == n && v.extent(1) == l && v.extent(2) == s);
  expects(wq.rows() == e && wq.cols() == e && wo.rows() == e && wo.cols() == e);
  expects(wk.rows() == s && wk.cols() == e && wv.rows() == s && wv.cols() == e);
  expects(bq.size() == e && bo.size() == e && bk.size() == s && bv.size() == s);
  expects(s % D == 0 && l <= 1 << 29);
  for (i64 b = core_index(); b < n; b += core_count())
    ops::attention_layer<D, G, M, N, K>(x[b], x[b], wq, wk, wv, wo, bq, bk, bv,
                                        bo, q[b], k[b], v[b], y[b], scale,
                                        1 << 29, 1 << 29);
}
