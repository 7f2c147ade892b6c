// G2, G3, G8: heads, keys and rows of attention; what its loops carry.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

constexpr i64 Q = 32, C = 64, D = 48;

[[belay::kernel]] void keys_not_transposed(In<half, dyn, D> q, In<half, C, D> k, Out<float, dyn, C> s) {
  expects(q.rows() == s.rows());
  for (auto w : my_rows<Q>(s))
    store(w, dot(load(q, w.row(), span<D>(0, D)), load(k, span<D>(0, D), w.col()))); // gm-out-of-bounds: '64 <= 48' is false
  //= store(w, dot(load(q, w.row(), span<D>(0, D)), load(k.transposed(), span<D>(0, D), w.col())));
}
[[belay::kernel]] void fewer_values_than_keys(In<half, dyn, D> q, In<half, D, dyn> k, In<half, dyn, D> v, Out<float, dyn, D> o) {
  expects(q.rows() == o.rows());
  //+ expects(k.cols() == v.rows());
  for (auto w : my_rows<Q>(o)) {
    auto out = zeros<float>(w);
    for (auto c : tiles<C>(k.cols())) {
      auto p = exp(dot(load(q, w), load(k, span<D>(0, D), c)));
      out += dot(cast<half>(p), load(v, c, w.col())); // guarded gm-out-of-bounds: <= v.rows()
    }
    store(w, out);
  }
}
[[belay::kernel]] void rows_for_values(In<half, dyn, D> q, In<half, D, dyn> k, In<half, dyn, D> v, Out<float, dyn, D> o) {
  expects(q.rows() == o.rows() && k.cols() == v.rows() && k.cols() >= o.rows());
  for (auto w : my_rows<C>(o)) {
    auto out = zeros<float>(w);
    for (auto c : tiles<C>(k.cols())) {
      auto p = exp(dot(load(q, w), load(k, span<D>(0, D), c)));
      out += dot(cast<half>(p), load(v, w.row(), w.col())); // guarded tile-mismatch: as many columns on the left as rows on the right
      //= out += dot(cast<half>(p), load(v, c, w.col()));
    }
    store(w, out);
  }
}
[[belay::kernel]] void heads_of_another_width(In<half, dyn, dyn> q, In<half, D, C> k, Out<float, dyn, C> s) {
  expects(q.rows() == s.rows());
  //+ expects(q.cols() == D);
  for (auto w : my_rows<Q>(s))
    store(w, dot(load(q, w.row(), span<D>(0, D)), load(k))); // guarded gm-out-of-bounds: <= q.cols()
}
[[belay::kernel]] void causal_one_too_many(In<half, dyn, D> q, In<half, D, dyn> k, In<half, dyn, D> v, Out<float, dyn, D> o) {
  expects(q.rows() == o.rows() && k.cols() == o.rows() && v.rows() == o.rows());
  for (auto w : my_rows<Q>(o)) {
    auto out = zeros<float>(w);
    for (auto c : tiles<C>(w.row().begin + w.row().size + 1)) {
      //= for (auto c : tiles<C>(w.row().begin + w.row().size)) {
      auto p = exp(dot(load(q, w), load(k, span<D>(0, D), c))); // guarded gm-out-of-bounds: <= k.cols()
      out += dot(cast<half>(p), load(v, c, w.col()));
    }
    store(w, out);
  }
}
[[belay::kernel]] void causal_by_tiles(In<half, dyn, D> q, In<half, D, dyn> k, In<half, dyn, D> v, Out<float, dyn, D> o) {
  expects(q.rows() == o.rows() && k.cols() == o.rows() && v.rows() == o.rows());
  for (auto w : my_rows<Q>(o)) {
    auto out = zeros<float>(w);
    for (auto c : tiles<C>(w.row().begin + Q)) {
      //= for (auto c : tiles<C>(min(w.row().begin + Q, k.cols()))) {
      auto p = exp(dot(load(q, w), load(k, span<D>(0, D), c))); // guarded gm-out-of-bounds: <= k.cols()
      out += dot(cast<half>(p), load(v, c, w.col()));
    }
    store(w, out);
  }
}
[[belay::kernel]] void causal_of_a_longer_query(In<half, dyn, D> q, In<half, D, dyn> k, In<half, dyn, D> v, Out<float, dyn, D> o) {
  expects(q.rows() == o.rows() && k.cols() == v.rows());
  //+ expects(k.cols() >= o.rows());
  for (auto w : my_rows<Q>(o)) {
    auto out = zeros<float>(w);
    for (auto c : tiles<C>(w.row().begin + w.row().size)) {
      auto p = exp(dot(load(q, w), load(k, span<D>(0, D), c))); // guarded gm-out-of-bounds: <= k.cols()
      out += dot(cast<half>(p), load(v, c, w.col()));
    }
    store(w, out);
  }
}
[[belay::kernel]] void window_before_the_first_key(In<half, dyn, D> q, In<half, D, dyn> k, Out<float, dyn, 1> o) {
  expects(q.rows() == o.rows() && k.cols() == o.rows());
  for (auto w : my_rows<Q>(o)) {
    auto total = zeros<float>(w);
    for (auto c : tiles<C>(w.row().begin - 100, w.row().begin + w.row().size)) {
      //= for (auto c : tiles<C>(max(w.row().begin - 100, 0), w.row().begin + w.row().size)) {
      auto s = dot(load(q, w.row(), span<D>(0, D)), load(k, span<D>(0, D), c)); // guarded gm-out-of-bounds: >= 0
      total += row_sum(s);
    }
    store(w, total);
  }
}
[[belay::kernel]] void head_of_keys(In<half, dyn, Q, D> q, In<half, dyn, D, C> k, Out<float, dyn, Q, C> s) {
  expects(q.extent(0) == s.extent(0) && s.extent(0) == k.extent(0) * 4);
  for (i64 head = core_index(); head < s.extent(0); head += core_count())
    store(s[head], span<Q>(0, Q), span<C>(0, C), dot(load(q[head]), load(k[head]))); // guarded gm-out-of-bounds: <= k.extent(0)
  //= store(s[head], span<Q>(0, Q), span<C>(0, C), dot(load(q[head]), load(k[head / 4])));
}
[[belay::kernel]] void heads_that_do_not_divide(In<half, dyn, Q, D> q, In<half, dyn, D, C> k, Out<float, dyn, Q, C> s) {
  expects(q.extent(0) == s.extent(0) && k.extent(0) == s.extent(0) / 4);
  //= expects(q.extent(0) == s.extent(0) && s.extent(0) == k.extent(0) * 4);
  for (i64 head = core_index(); head < s.extent(0); head += core_count())
    store(s[head], span<Q>(0, Q), span<C>(0, C), dot(load(q[head]), load(k[head / 4]))); // guarded gm-out-of-bounds: <= k.extent(0)
}
[[belay::kernel]] void heads_before_batches(In<half, dyn, dyn, Q, D> q, In<half, dyn, dyn, D, C> k, Out<float, dyn, dyn, Q, C> s) {
  expects(q.extent(0) == s.extent(0) && q.extent(1) == s.extent(1) && k.extent(0) == s.extent(0) && k.extent(1) == s.extent(1));
  for (i64 n = core_index(); n < s.extent(0); n += core_count())
    for (i64 head = 0; head < s.extent(1); ++head)
      store(s[n][head], span<Q>(0, Q), span<C>(0, C), dot(load(q[n][head]), load(k[head][n]))); // guarded gm-out-of-bounds: head + 1 <= k.extent(0)
  //= store(s[n][head], span<Q>(0, Q), span<C>(0, C), dot(load(q[n][head]), load(k[n][head])));
}
[[belay::kernel]] void numbers_of_rows(In<half, dyn, D> q, In<half, D, C> k, Out<float, dyn, C> s) {
  expects(q.rows() == s.rows());
  //+ expects(s.rows() <= 1 << 30);
  for (auto w : my_rows<Q>(s)) {
    auto t = dot(load(q, w.row(), span<D>(0, D)), load(k));
    store(w, select(row_index<i32>(w) >= col_index<i32>(w), t, -3e38f)); // guarded index-overflow: fits in 32 bits
  }
}
[[belay::kernel]] void whole_tile_of_sums(In<half, dyn, D> q, In<half, D, dyn> k, In<half, dyn, D> v, Out<float, dyn, D> o) {
  expects(q.rows() == o.rows() && k.cols() == v.rows());
  for (auto w : my_rows<Q>(o)) {
    auto total = zeros<Q, 1, float>();
    //= auto total = zeros<float>(w.row(), span<1>(0, 1));
    for (auto c : tiles<C>(k.cols()))
      total += row_sum(dot(load(q, w), load(k, span<D>(0, D), c))); // guarded tile-mismatch: equal rows
    store(o, w.row(), w.col(), total + zeros<float>(w)); // guarded tile-mismatch: equal rows
  }
}
[[belay::kernel]] void score_of_another_row(In<half, dyn, D> q, In<half, D, C> k, Out<float, dyn, C> s) {
  expects(q.rows() == s.rows());
  for (auto w : my_rows<Q>(s))
    store(w, dot(load(q, span<Q>(w.row().begin + 1, w.row().size), span<D>(0, D)), load(k))); // guarded gm-out-of-bounds: <= q.rows()
  //= store(w, dot(load(q, w.row(), span<D>(0, D)), load(k)));
}
