//===- ops/attention.h - Attention ------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores of queries and keys, their softmax, and sums of values that it
// weights. Products are the cube core's, exponentials the vector core's.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_ATTENTION_H
#define BELAY_OPS_ATTENTION_H

#include "belay/kernel.h"
#include "belay/ops/linear.h"

namespace belay::ops {

/// Below every score that takes part.
inline constexpr float hidden_score = -3e38f;

/// What some queries of one head attend to, without a matrix of scores: keys
/// come C at a time, and what was added up before fades as larger scores come.
/// `columns` are those of the head in q, k and v, which have a row for each
/// place; D of them. Keys are those from `first` on to `last`, and `mask` makes
/// of a tile of scores and the span of its keys the scores that count. Every
/// query has to see a key.
template <i64 C, i64 Q, i64 D, Role A, Role B, class T, i64 A0, i64 A1, i64 B0,
          i64 B1, class F>
Tile<Q, D, float> attend(View<A, T, A0, A1> q, Span<Q> queries, Span<D> columns,
                         View<B, T, B0, B1> k, View<B, T, B0, B1> v,
                         Span<D> shared, i64 first, i64 last, float scale,
                         F mask) {
  auto rows = load(q, queries, columns);
  auto out = zeros<float>(queries, columns);
  auto most = column<float>(queries, hidden_score);
  auto total = column<float>(queries, 0.0f);
  for (auto c : tiles<C>(first, last)) {
    auto s = mask(dot(rows, load(k.transposed(), shared, c)) * scale, c);
    auto now = max(most, row_max(s));
    auto fade = exp(most - now);
    auto p = exp(s - now);
    total = total * fade + row_sum(p);
    out = out * fade + dot(cast<T>(p), load(v, c, shared));
    most = std::move(now);
  }
  return out / total;
}

/// Stores a linear layer of all rows of x, one tile after the other, on this
/// core.
template <i64 M, i64 N, i64 K, Role X, Role W, Role B, Role Y, class T, i64 X0,
          i64 X1, i64 W0, i64 W1, i64 B0, i64 Y0, i64 Y1>
void project(View<X, T, X0, X1> x, View<W, T, W0, W1> weights,
             View<B, float, B0> bias, View<Y, T, Y0, Y1> y) {
  for (auto r : tiles<M>(y.rows()))
    for (auto c : tiles<N>(y.cols()))
      store(y, r, c, cast<T>(linear<K>(x, weights, bias, r, c)));
}

/// Attention of heads of D columns on this core, of which G share keys and
/// values: queries of x, keys and values of z, and a layer of what they attend
/// to. Weights and biases are planes of q, k, v and of the output. The views q,
/// k and v have room for a row for each place of x and z; q has what was
/// attended to at the end. Query i sees the keys from i - before on to i +
/// after.
template <i64 D, i64 G, i64 M, i64 N, i64 K, Role X, Role S, Role W, Role B,
          Role Y, class T, i64... Xs, i64... Zs, i64... Qs, i64... Os,
          i64... Ss, i64... Ks, i64... Ys>
void attention_layer(View<X, T, Xs...> x, View<X, T, Zs...> z,
                     View<W, T, Qs...> wq, View<W, T, Ks...> wk,
                     View<W, T, Ks...> wv, View<W, T, Os...> wo,
                     View<B, float, dyn> bq, View<B, float, dyn> bk,
                     View<B, float, dyn> bv, View<B, float, dyn> bo,
                     View<S, T, Ss...> q, View<S, T, Ss...> k,
                     View<S, T, Ss...> v, View<Y, T, Ys...> y, float scale,
                     i64 before, i64 after) {
  project<M, N, K>(x, wq, bq, q);
  project<M, N, K>(z, wk, bk, k);
  project<M, N, K>(z, wv, bv, v);
  for (i64 h = 0; h < q.cols() / D; ++h)
    for (auto r : tiles<M>(q.rows())) {
      auto head = span<D>(h * D, D), shared = span<D>(h / G * D, D);
      i64 first = max(r.begin - before, 0);
      i64 last = min(r.begin + r.size + after, k.rows());
      auto t = attend<N>(
          q, r, head, k, v, shared, first, last, scale,
          [&](const auto &s, auto c) {
            auto low = row_index<i32>(span<M>(r.begin - before, r.size));
            auto high = row_index<i32>(span<M>(r.begin + after, r.size));
            auto place = col_index<i32>(c);
            return select((low <= place) & (high >= place), s, hidden_score);
          });
      store(q, r, head, cast<T>(t));
    }
  project<M, N, K>(q, wo, bo, y);
}

} // namespace belay::ops

#endif // BELAY_OPS_ATTENTION_H
