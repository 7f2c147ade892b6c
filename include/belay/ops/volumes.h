//===- ops/volumes.h - Convolutions and what follows them -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the outputs of a convolution of volumes x[n][channel][plane][row]
// [col], by filters f[tap][output][channel] with a bias for each output, that
// apply functions to them while they are on chip. Images are volumes of one
// plane. Pooling computes what is pooled where it is needed, with strides, so
// that nothing of it is stored. Functions are called with a tile of float,
// whose rows are outputs and whose columns are pixels, and with the span of its
// outputs.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_VOLUMES_H
#define BELAY_OPS_VOLUMES_H

#include "belay/ops/convolution.h"

namespace belay::ops {

/// Outputs at (plane * P + a, row * P + b, col * P + c) of a convolution with a
/// stride of 1, where P is what is pooled, plus bias.
template <i64 KD, i64 KH, i64 KW, i64 PD, i64 P, i64 C, i64 M, i64 N, Role X,
          Role F, Role B, class T, i64 X0, i64 X1, i64 X2, i64 X3, i64 F0,
          i64 F1, i64 F2, i64 B0>
Tile<M, N, float> conv_line(View<X, T, X0, X1, X2, X3> x,
                            View<F, T, F0, F1, F2> f, View<B, float, B0> bias,
                            Span<M> outputs, i64 plane, i64 row, Span<N> cols,
                            i64 a, i64 b, i64 c, i64 pad) {
  auto add = load_column(bias, outputs);
  if constexpr (X1 == 1)
    return convolve2<KH, KW, P, P, C>(slice<1>(x, 0), f, outputs, row, cols, b,
                                      c, pad, pad, 1, 1) +
           add;
  else
    return convolve3<KD, KH, KW, PD, P, P, C>(x, f, outputs, plane, row, cols,
                                              a, b, c, pad, pad, pad, 1, 1, 1) +
           add;
}

/// y = f(convolution of x).
template <i64 KD, i64 KH, i64 KW, i64 M, i64 N, i64 C, Role X, Role V, Role B,
          Role Y, class T, class U, i64... Xs, i64... Fs, i64... Bs, i64... Ys,
          class F>
void conv_map(View<X, T, Xs...> x, View<V, T, Fs...> filters,
              View<B, float, Bs...> bias, View<Y, U, Ys...> y, F f) {
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y)))
    store(w, cast<U>(f(conv_line<KD, KH, KW, 1, 1, C>(
                           x[w.plane(0)], filters, bias, w.row(), w.plane(1),
                           w.plane(2), w.col(), 0, 0, 0, 0),
                       w.row())));
}

/// y = finish of the outputs of PD by P by P neighbours, each of which f was
/// applied to, combined with g from `start` on.
template <i64 KD, i64 KH, i64 KW, i64 PD, i64 P, i64 M, i64 N, i64 C, Role X,
          Role V, Role B, Role Y, class T, class U, i64... Xs, i64... Fs,
          i64... Bs, i64... Ys, class F, class G, class H>
void conv_pool(View<X, T, Xs...> x, View<V, T, Fs...> filters,
               View<B, float, Bs...> bias, View<Y, U, Ys...> y, float start,
               F f, G g, H finish) {
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    auto acc = full<float>(w, start);
    for (i64 a = 0; a < PD; ++a)
      for (i64 b = 0; b < P; ++b)
        for (i64 c = 0; c < P; ++c)
          acc = g(acc, f(conv_line<KD, KH, KW, PD, P, C>(
                             x[w.plane(0)], filters, bias, w.row(), w.plane(1),
                             w.plane(2), w.col(), a, b, c, 0),
                         w.row()));
    store(w, cast<U>(finish(acc)));
  }
}

/// One number for each place: y = finish(s), where s is `start` at first, and
/// g(s, t) for each tile t of outputs of these places.
template <i64 KD, i64 KH, i64 KW, i64 M, i64 N, i64 C, Role X, Role V, Role B,
          Role Y, class T, class U, i64... Xs, i64... Fs, i64... Bs, i64... Ys,
          class G, class H>
void conv_fold(View<X, T, Xs...> x, View<V, T, Fs...> filters,
               View<B, float, Bs...> bias, View<Y, U, Ys...> y, float start,
               G g, H finish) {
  for (auto w : my_tiles<1, N>(y)) {
    auto s = full<float>(w, start);
    for (auto o : tiles<M>(filters.extent(1)))
      s = g(s, conv_line<KD, KH, KW, 1, 1, C>(x[w.plane(0)], filters, bias, o,
                                              w.plane(1), w.row().begin,
                                              w.col(), 0, 0, 0, 0));
    store(w, cast<U>(finish(s)));
  }
}

/// Outputs of phase c of a transposed convolution with the same stride in all
/// directions, plus bias; images have a stride of 1 between planes.
template <i64 KD, i64 KH, i64 KW, i64 SD, i64 S, i64 C, i64 M, i64 N, Role X,
          Role F, Role B, class T, i64 X0, i64 X1, i64 X2, i64 X3, i64 F0,
          i64 F1, i64 F2, i64 B0>
Tile<M, N, float> spread_line(View<X, T, X0, X1, X2, X3> x,
                              View<F, T, F0, F1, F2> f, View<B, float, B0> bias,
                              Span<M> outputs, i64 plane, i64 row, i64 phase,
                              Span<N> cols, i64 pad) {
  auto add = load_column(bias, outputs);
  if constexpr (X1 == 1)
    return spread2<KH, KW, S, S, C>(slice<1>(x, 0), f, outputs, row, phase,
                                    cols, pad, pad, 1, 1) +
           add;
  else
    return spread3<KD, KH, KW, SD, S, S, C>(x, f, outputs, plane, row, phase,
                                            cols, pad, pad, pad, 1, 1, 1) +
           add;
}

/// y = f(transposed convolution of x).
template <i64 KD, i64 KH, i64 KW, i64 SD, i64 S, i64 M, i64 N, i64 C, Role X,
          Role V, Role B, Role Y, class T, class U, i64... Xs, i64... Fs,
          i64... Bs, i64... Ys, class F>
void spread_map(View<X, T, Xs...> x, View<V, T, Fs...> filters,
                View<B, float, Bs...> bias, View<Y, U, Ys...> y, i64 pad, F f) {
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y)))
    each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      auto t = spread_line<KD, KH, KW, SD, S, C>(x[w.plane(0)], filters, bias,
                                                 w.row(), w.plane(1),
                                                 w.plane(2), phase, cols, pad);
      auto line = slice<1>(slice<1>(y[w.plane(0)], w.plane(1)), w.plane(2));
      store(strided<1>(line, phase, S), w.row(), cols, cast<U>(f(t, w.row())));
    });
}

/// y = finish of the outputs of S by S by S neighbours of a transposed
/// convolution with stride S, each of which f was applied to, combined with g
/// from `start` on: its phases are what is pooled.
template <i64 KD, i64 KH, i64 KW, i64 S, i64 M, i64 N, i64 C, Role X, Role V,
          Role B, Role Y, class T, class U, i64... Xs, i64... Fs, i64... Bs,
          i64... Ys, class F, class G, class H>
void spread_pool(View<X, T, Xs...> x, View<V, T, Fs...> filters,
                 View<B, float, Bs...> bias, View<Y, U, Ys...> y, i64 pad,
                 float start, F f, G g, H finish) {
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    auto acc = full<float>(w, start);
    for (i64 a = 0; a < S; ++a)
      for (i64 b = 0; b < S; ++b)
        for (i64 c = 0; c < S; ++c)
          acc = g(acc, f(spread_line<KD, KH, KW, S, S, C>(
                             x[w.plane(0)], filters, bias, w.row(),
                             w.plane(1) * S + a, w.plane(2) * S + b, c, w.col(),
                             pad),
                         w.row()));
    store(w, cast<U>(finish(acc, w.row())));
  }
}

} // namespace belay::ops

#endif // BELAY_OPS_VOLUMES_H
