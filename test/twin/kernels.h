//===- kernels.h - Kernels whose twins are tested ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TEST_TWIN_KERNELS_H
#define BELAY_TEST_TWIN_KERNELS_H

#include "belay/kernel.h"

namespace kernels {
using namespace belay;

template <class T, i64 N = 64>
[[belay::kernel]] void vec_add(In<T> x, In<T> y, Out<T> z) {
  expects(x.size() == z.size() && y.size() == z.size());
  for (auto w : my_tiles<N>(z))
    store(w, load(x, w) + load(y, w));
}

template <i64 C>
[[belay::kernel]] void softmax(In<float, dyn, C> x, Out<float, dyn, C> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y)) {
    auto t = load(x, rows);
    auto e = exp(t - row_max(t));
    store(rows, e / row_sum(e));
  }
}

[[belay::kernel]] inline void total(In<float> x, PerCore<float> part,
                                    Out<float, 1> out) {
  float s = 0;
  for (auto w : my_tiles<64>(x))
    s += sum(load(x, w));
  store_mine(part, s);
  sync_cores();
  if (first_core())
    store(out, 0, sum(load_all(part)));
}

template <Oob P>
[[belay::kernel]] void embedding(In<half, dyn, 16> table, In<i32> ids,
                                 Out<half, dyn, 16> out) {
  expects(out.rows() == ids.size());
  for (auto rows : my_rows<4>(out))
    store(rows, gather<P>(table, load(ids, rows)));
}

template <Oob P>
[[belay::kernel]] void taken(In<float, dyn, 3> x, In<i32, dyn, 2> ids,
                             Out<float, dyn, 2> y) {
  expects(x.rows() == y.rows() && ids.rows() == y.rows());
  for (auto rows : my_rows<4>(y))
    store(rows, gather<P>(load(x, rows.row(), span<3>(0, 3)), load(ids, rows)));
}

[[belay::kernel]] inline void transposed(In<i32, dyn, dyn> x,
                                         Out<i32, dyn, dyn> y) {
  expects(x.rows() == y.cols() && x.cols() == y.rows());
  for (auto w : my_tiles<4, 8>(y))
    store(w, transpose(load(x, w.col(), w.row())));
}

/// Forgets that the last window is short.
[[belay::kernel]] inline void careless(In<float> x, Out<float> y) {
  for (i64 i = 0; i < x.size(); i += 64)
    store(y, span<64>(i, 64), load(x, span<64>(i, 64)));
}

} // namespace kernels

#endif // BELAY_TEST_TWIN_KERNELS_H
