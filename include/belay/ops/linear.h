//===- ops/linear.h - Linear layers and what follows them -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of matrices on the cube core, and loops that apply a function to
// them on the vector core. Weights are as PyTorch has them: one row for each
// output. What a function makes of a tile has to fit into the unified buffer,
// which decides about M and N; K is how much of a sum is loaded at a time.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_LINEAR_H
#define BELAY_OPS_LINEAR_H

#include "belay/kernel.h"
#include "belay/ops/normalize.h"

namespace belay::ops {

/// Some rows and columns of the product of two matrices.
template <i64 K, i64 M, i64 N, Role A, Role B, class T, i64 A0, i64 A1, i64 B0,
          i64 B1>
Tile<M, N, float> product(View<A, T, A0, A1> a, View<B, T, B0, B1> b,
                          Span<M> rows, Span<N> cols) {
  auto sum = zeros<float>(rows, cols);
  for (auto k : tiles<K>(a.cols()))
    sum += dot(load(a, rows, k), load(b, k, cols));
  return sum;
}

/// The whole product of two matrices, rounded to c's type.
template <i64 M, i64 N, i64 K, Role A, Role B, Role C, class T, class U, i64 A0,
          i64 A1, i64 B0, i64 B1, i64 C0, i64 C1>
void matmul(View<A, T, A0, A1> a, View<B, T, B0, B1> b, View<C, U, C0, C1> c) {
  for (auto w : my_tiles<M, N>(c))
    store(w, cast<U>(product<K>(a, b, w.row(), w.col())));
}

/// Some rows and columns of x times transposed weights, plus a bias for each
/// column.
template <i64 K, i64 M, i64 N, Role X, Role W, Role B, class T, i64 X0, i64 X1,
          i64 W0, i64 W1, i64 B0>
Tile<M, N, float> linear(View<X, T, X0, X1> x, View<W, T, W0, W1> weights,
                         View<B, float, B0> bias, Span<M> rows, Span<N> cols) {
  return product<K>(x, weights.transposed(), rows, cols) + load(bias, cols);
}

/// y = f(x times transposed weights + bias), element by element: f is called
/// with a tile of float and the span of its columns.
template <i64 M, i64 N, i64 K, Role X, Role W, Role B, Role Y, class T, class U,
          i64 X0, i64 X1, i64 W0, i64 W1, i64 B0, i64 Y0, i64 Y1, class F>
void linear_map(View<X, T, X0, X1> x, View<W, T, W0, W1> weights,
                View<B, float, B0> bias, View<Y, U, Y0, Y1> y, F f) {
  for (auto w : my_tiles<M, N>(y))
    store(w,
          cast<U>(f(linear<K>(x, weights, bias, w.row(), w.col()), w.col())));
}

/// One number for each row of a linear layer: y[r] = finish(s), where s is
/// `start` at first, and f(s, t) for each tile t of the row. Rows belong to one
/// core, whatever their length.
template <i64 M, i64 N, i64 K, Role X, Role W, Role B, Role Y, class T, i64 X0,
          i64 X1, i64 W0, i64 W1, i64 B0, i64 Y0, class F, class G>
void linear_fold(View<X, T, X0, X1> x, View<W, T, W0, W1> weights,
                 View<B, float, B0> bias, View<Y, float, Y0> y, float start,
                 F f, G finish) {
  for (auto r : my_spans<M>(y.size())) {
    auto s = column<float>(r, start);
    for (auto c : tiles<N>(weights.rows()))
      s = f(s, linear<K>(x, weights, bias, r, c));
    store(y, r, finish(s));
  }
}

/// log(sum(exp(x))) of each row of a linear layer, after f of each tile.
template <i64 M, i64 N, i64 K, Role X, Role W, Role B, Role Y, class T, i64 X0,
          i64 X1, i64 W0, i64 W1, i64 B0, i64 Y0, class F, class G>
void linear_log_sum_exp(View<X, T, X0, X1> x, View<W, T, W0, W1> weights,
                        View<B, float, B0> bias, View<Y, float, Y0> y, F f,
                        G finish) {
  for (auto r : my_spans<M>(y.size())) {
    auto most = column<float>(r, -3e38f), total = column<float>(r, 0.0f);
    for (auto c : tiles<N>(weights.rows())) {
      auto t = f(linear<K>(x, weights, bias, r, c));
      auto now = max(most, row_max(t));
      total = total * exp(most - now) + row_sum(exp(t - now));
      most = std::move(now);
    }
    store(y, r, finish(most + log(total)));
  }
}

/// Normalizes groups of W columns in each row of f(x times transposed weights +
/// bias), with a scale and a shift by column, and applies g to what they
/// became.
template <i64 M, i64 W, i64 K, Role X, Role V, Role B, Role Y, class T, class U,
          i64 X0, i64 X1, i64 W0, i64 W1, i64 B0, i64 Y0, i64 Y1, class F,
          class G>
void linear_group_norm(View<X, T, X0, X1> x, View<V, T, W0, W1> weights,
                       View<B, float, B0> bias, View<Y, U, Y0, Y1> y,
                       In<float> gamma, In<float> beta, float eps, F f, G g) {
  for (auto w : my_tiles<M, W>(y)) {
    auto c = w.col();
    auto t = f(linear<K>(x, weights, bias, w.row(), c), c);
    auto n = standardize(t, eps) * load(gamma, c) + load(beta, c);
    store(w, cast<U>(g(n, c)));
  }
}

/// Stores f(x times transposed weights + bias), then normalizes each column
/// over all rows, and applies g to what it became: columns belong to one core.
/// A first pass adds them up, a second one adds up the squares of differences
/// from the mean, a third one replaces them.
template <i64 M, i64 N, i64 K, Role X, Role W, Role B, class T, i64 X0, i64 X1,
          i64 W0, i64 W1, i64 B0, i64 Y0, i64 Y1, class F, class G>
void linear_batch_norm(View<X, T, X0, X1> x, View<W, T, W0, W1> weights,
                       View<B, float, B0> bias,
                       View<Role::inout, float, Y0, Y1> y, In<float> gamma,
                       In<float> beta, float eps, F f, G g) {
  float part = 1.0f / float(y.rows());
  for (auto c : my_spans<N>(y.cols())) {
    auto mean = full<float>(span<1>(0, 1), c, 0.0f);
    for (auto r : tiles<M>(y.rows())) {
      auto t = f(linear<K>(x, weights, bias, r, c), c);
      mean = mean + col_sum(t);
      store(y, r, c, t);
    }
    mean = mean * part;
    auto squares = full<float>(span<1>(0, 1), c, 0.0f);
    for (auto r : tiles<M>(y.rows())) {
      auto d = load(y, r, c) - mean;
      squares = squares + col_sum(d * d);
    }
    auto scale = load(gamma, c) / sqrt(squares * part + eps);
    for (auto r : tiles<M>(y.rows()))
      store(y, r, c, g((load(y, r, c) - mean) * scale + load(beta, c)));
  }
}

} // namespace belay::ops

#endif // BELAY_OPS_LINEAR_H
