// Causal attention with relu in the place of softmax, of heads of D columns:
// queries, keys and values lie side by side in the columns of qkv.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 D, i64 M = 64, i64 N = 128>
[[belay::kernel]] void relu_attention(In<T, dyn, dyn, dyn> qkv,
                                      Out<T, dyn, dyn, dyn> y, float scale) {
  i64 e = y.extent(2);
  expects(qkv.extent(0) == y.extent(0) && qkv.extent(1) == y.extent(1));
  expects(qkv.extent(2) == 3 * e && y.extent(1) <= 1 << 29);
  for (auto w : my_tiles<M, D>(y)) {
    auto all = qkv[w.plane(0)];
    auto rows = w.row();
    auto keys = span<D>(w.col().begin + e, w.col().size);
    auto values = span<D>(w.col().begin + 2 * e, w.col().size);
    auto queries = load(all, rows, w.col());
    auto sum = zeros<float>(w);
    for (auto c : tiles<N>(0, rows.begin + rows.size)) {
      auto s = dot(queries, load(all.transposed(), keys, c)) * scale;
      auto p = select(row_index<i32>(rows) >= col_index<i32>(c), relu(s), 0.0f);
      sum += dot(cast<T>(p), load(all, c, values));
    }
    store(w, cast<T>(sum));
  }
}
