//===- ops/convolution.h - Convolutions as sums of products -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is a sum of products, one for each tap of the filter: outputs
// by channels of the tap, times channels by the pixels that the tap sees.
// Sums may be in any order, so no image is unfolded. Filters have their taps
// first: f[tap][output][channel]. Functions return some outputs, which are
// rows, of some pixels of one line, which are columns; what is done with them
// is up to the kernel. C is how many channels are loaded at a time.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_OPS_CONVOLUTION_H
#define BELAY_OPS_CONVOLUTION_H

#include "belay/kernel.h"

namespace belay::ops {

/// Of each of some lines: what output column i sees through a tap, which is
/// column i * S + tap - pad, or a value outside. With a stride of 2, 4 or 8,
/// columns are copied with those between, which the vector unit leaves out;
/// with other strides, the scalar unit reads each element.
template <i64 S, i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
Tile<R, C, T> load_tap(View<Rl, T, D0, D1> lines, Span<R> rows, Span<C> outputs,
                       i64 tap, i64 pad, T outside = T(0.0f)) {
  // In steps of the stride, from the first column of that remainder on.
  i64 at = tap + pad * (S - 1);
  auto seen = strided<1>(lines, at % S, S);
  return load_or(seen, rows,
                 span<C>(outputs.begin + at / S - pad, outputs.size), outside);
}

/// Of a line of signals x[channel][place]: outputs at places i * S + k *
/// dilation - pad, through the taps f[k][output][channel].
template <i64 S, i64 C, i64 M, i64 N, Role X, Role F, class T, i64 X0, i64 X1,
          i64 F0, i64 F1, i64 F2>
Tile<M, N, float> convolve1(View<X, T, X0, X1> x, View<F, T, F0, F1, F2> f,
                            Span<M> outputs, Span<N> cols, i64 pad,
                            i64 dilation) {
  auto sum = zeros<float>(outputs, cols);
  for (i64 k = 0; k < f.extent(0); ++k)
    for (auto c : tiles<C>(x.rows()))
      sum += dot(load(f[k], outputs, c),
                 load_tap<S>(x, c, cols, k * dilation, pad));
  return sum;
}

/// Outputs of row `at` of an image x[channel][row][col], through KH * KW taps,
/// with strides SH and SW.
template <i64 KH, i64 KW, i64 SH, i64 SW, i64 C, i64 M, i64 N, Role X, Role F,
          class T, i64 X0, i64 X1, i64 X2, i64 F0, i64 F1, i64 F2>
Tile<M, N, float> convolve2(View<X, T, X0, X1, X2> x, View<F, T, F0, F1, F2> f,
                            Span<M> outputs, i64 at, Span<N> cols, i64 down,
                            i64 right, i64 pad_h, i64 pad_w, i64 dilation_h,
                            i64 dilation_w) {
  i64 height = x.extent(1);
  auto sum = zeros<float>(outputs, cols);
  for (i64 r = 0; r < KH; ++r) {
    i64 row = at * SH + r * dilation_h + down - pad_h;
    bool is_inside = row >= 0 && row < height;
    auto line = slice<1>(x, max(min(row, height - 1), 0));
    for (i64 t = 0; t < KW; ++t)
      for (auto c : tiles<C>(is_inside ? x.extent(0) : 0))
        sum += dot(load(f[r * KW + t], outputs, c),
                   load_tap<SW>(line, c, cols, t * dilation_w + right, pad_w));
  }
  return sum;
}

/// The same of a volume x[channel][plane][row][col].
template <i64 KD, i64 KH, i64 KW, i64 SD, i64 SH, i64 SW, i64 C, i64 M, i64 N,
          Role X, Role F, class T, i64 X0, i64 X1, i64 X2, i64 X3, i64 F0,
          i64 F1, i64 F2>
Tile<M, N, float> convolve3(View<X, T, X0, X1, X2, X3> x,
                            View<F, T, F0, F1, F2> f, Span<M> outputs,
                            i64 plane, i64 at, Span<N> cols, i64 deep, i64 down,
                            i64 right, i64 pad_d, i64 pad_h, i64 pad_w,
                            i64 dilation_d, i64 dilation_h, i64 dilation_w) {
  i64 depth = x.extent(1), height = x.extent(2);
  auto sum = zeros<float>(outputs, cols);
  for (i64 q = 0; q < KD; ++q) {
    i64 level = plane * SD + q * dilation_d + deep - pad_d;
    auto image = slice<1>(x, max(min(level, depth - 1), 0));
    for (i64 r = 0; r < KH; ++r) {
      i64 row = at * SH + r * dilation_h + down - pad_h;
      auto line = slice<1>(image, max(min(row, height - 1), 0));
      bool is_inside = level >= 0 && level < depth && row >= 0 && row < height;
      for (i64 t = 0; t < KW; ++t)
        for (auto c : tiles<C>(is_inside ? x.extent(0) : 0))
          sum +=
              dot(load(f[(q * KH + r) * KW + t], outputs, c),
                  load_tap<SW>(line, c, cols, t * dilation_w + right, pad_w));
    }
  }
  return sum;
}

/// Outputs of row `at` of an image x[channel][row][col], each channel through
/// KH * KW taps f[tap][channel] of its own, on the vector core.
template <i64 KH, i64 KW, i64 SH, i64 SW, i64 R, i64 N, Role X, Role F, class T,
          i64 X0, i64 X1, i64 X2, i64 F0, i64 F1>
Tile<R, N, float> convolve_channels(View<X, T, X0, X1, X2> x,
                                    View<F, T, F0, F1> f, Span<R> channels,
                                    i64 at, Span<N> cols, i64 pad_h, i64 pad_w,
                                    i64 dilation_h, i64 dilation_w) {
  auto sum = zeros<float>(channels, cols);
  for (i64 r = 0; r < KH; ++r) {
    i64 row = at * SH + r * dilation_h - pad_h;
    if (row >= 0 && row < x.extent(1))
      for (i64 t = 0; t < KW; ++t)
        sum += cast<float>(load_column(f[r * KW + t], channels)) *
               cast<float>(load_tap<SW>(slice<1>(x, row), channels, cols,
                                        t * dilation_w, pad_w));
  }
  return sum;
}

/// Of a transposed convolution, where place i of the input goes to i * S + tap
/// - pad: the place that a place of the output comes from, or -1 if there is
/// none among as many as the extent says.
template <i64 S> i64 source_of(i64 place, i64 tap, i64 pad, i64 extent) {
  // A multiple of the stride if the tap falls on a place at all.
  i64 at = place + pad + tap * (S - 1), source = at / S - tap;
  return at % S == 0 && source >= 0 && source < extent ? source : -1;
}

/// Calls f with each phase of a line of outputs with a stride, and with what
/// columns of it lie in a span: those with the same remainder by the stride see
/// the same taps, and one pixel after the other.
template <i64 S, i64 N, class F> void each_phase(Span<N> cols, F f) {
  for (i64 phase = 0; phase < S; ++phase) {
    i64 first = (cols.begin - phase + S - 1) / S;
    i64 last = (cols.begin + cols.size - phase + S - 1) / S;
    f(phase, span<N>(first, last - first));
  }
}

/// Of a transposed convolution of an image x[channel][row][col]: outputs of row
/// `at` and of columns phase + i * SW, through the taps
/// f[tap][output][channel].
template <i64 KH, i64 KW, i64 SH, i64 SW, i64 C, i64 M, i64 N, Role X, Role F,
          class T, i64 X0, i64 X1, i64 X2, i64 F0, i64 F1, i64 F2>
Tile<M, N, float> spread2(View<X, T, X0, X1, X2> x, View<F, T, F0, F1, F2> f,
                          Span<M> outputs, i64 at, i64 phase, Span<N> cols,
                          i64 pad_h, i64 pad_w, i64 dilation_h,
                          i64 dilation_w) {
  auto sum = zeros<float>(outputs, cols);
  for (i64 r = 0; r < KH; ++r) {
    i64 row = source_of<SH>(at, r * dilation_h, pad_h, x.extent(1));
    auto line = slice<1>(x, max(row, 0));
    for (i64 t = 0; t < KW; ++t) {
      i64 right = t * dilation_w, from = phase + pad_w + right * (SW - 1);
      auto seen = span<N>(cols.begin + from / SW - right, cols.size);
      bool is_seen = row >= 0 && from % SW == 0;
      for (auto c : tiles<C>(is_seen ? x.extent(0) : 0))
        sum += dot(load(f[r * KW + t], outputs, c),
                   load_or(line, c, seen, T(0.0f)));
    }
  }
  return sum;
}

/// The same of a volume x[channel][plane][row][col].
template <i64 KD, i64 KH, i64 KW, i64 SD, i64 SH, i64 SW, i64 C, i64 M, i64 N,
          Role X, Role F, class T, i64 X0, i64 X1, i64 X2, i64 X3, i64 F0,
          i64 F1, i64 F2>
Tile<M, N, float>
spread3(View<X, T, X0, X1, X2, X3> x, View<F, T, F0, F1, F2> f, Span<M> outputs,
        i64 plane, i64 at, i64 phase, Span<N> cols, i64 pad_d, i64 pad_h,
        i64 pad_w, i64 dilation_d, i64 dilation_h, i64 dilation_w) {
  auto sum = zeros<float>(outputs, cols);
  for (i64 q = 0; q < KD; ++q) {
    i64 level = source_of<SD>(plane, q * dilation_d, pad_d, x.extent(1));
    auto image = slice<1>(x, max(level, 0));
    for (i64 r = 0; r < KH; ++r) {
      i64 row = source_of<SH>(at, r * dilation_h, pad_h, x.extent(2));
      auto line = slice<1>(image, max(row, 0));
      for (i64 t = 0; t < KW; ++t) {
        i64 right = t * dilation_w, from = phase + pad_w + right * (SW - 1);
        auto seen = span<N>(cols.begin + from / SW - right, cols.size);
        bool is_seen = level >= 0 && row >= 0 && from % SW == 0;
        for (auto c : tiles<C>(is_seen ? x.extent(0) : 0))
          sum += dot(load(f[(q * KH + r) * KW + t], outputs, c),
                     load_or(line, c, seen, T(0.0f)));
      }
    }
  }
  return sum;
}

} // namespace belay::ops

#endif // BELAY_OPS_CONVOLUTION_H
