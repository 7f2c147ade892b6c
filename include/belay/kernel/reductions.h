//===- reductions.h - Sums, maxima and other reductions ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_REDUCTIONS_H
#define BELAY_KERNEL_REDUCTIONS_H

#include "belay/kernel/elementwise.h"

#if !defined(__BELAY__)
#include <limits>
#endif

namespace belay {
namespace detail {

#if !defined(__BELAY__)
template <class T> T twin_highest() {
  if constexpr (is_float<T>)
    return T(std::numeric_limits<float>::infinity());
  else
    return std::numeric_limits<T>::max();
}
template <class T> T twin_lowest() {
  if constexpr (is_float<T>)
    return T(-std::numeric_limits<float>::infinity());
  else
    return std::numeric_limits<T>::min();
}
/// Combines what `along` visits, in the type that the operation computes in.
template <class T, class Along, class F>
T twin_fold(T neutral, i64 count, Along &&along, F &&function) {
  wide<T> value = wide<T>(neutral);
  for (i64 i = 0; i < count; ++i)
    value = function(value, wide<T>(along(i)));
  return T(value);
}
#endif

} // namespace detail

// One name, three directions: each row (leaves a column), each column (leaves a
// row), all (leaves a scalar).
#define BELAY_REDUCTION(combine, all, neutral, ...)                            \
  template <i64 R, i64 C, number T>                                            \
  BELAY_OP("row." #combine)                                                    \
  Col<R, T> row_##combine(const Tile<R, C, T> &t) {                            \
    return Col<R, T>::twin_make(t.rows(), 1, [&](i64 r, i64) {                 \
      return detail::twin_fold<T>(                                             \
          neutral, t.cols(), [&](i64 c) { return t.twin_at(r, c); },           \
          [](auto x, auto y) { return __VA_ARGS__; });                         \
    });                                                                        \
  }                                                                            \
  template <i64 R, i64 C, number T>                                            \
  BELAY_OP("col." #combine)                                                    \
  Row<C, T> col_##combine(const Tile<R, C, T> &t) {                            \
    return Row<C, T>::twin_make(1, t.cols(), [&](i64, i64 c) {                 \
      return detail::twin_fold<T>(                                             \
          neutral, t.rows(), [&](i64 r) { return t.twin_at(r, c); },           \
          [](auto x, auto y) { return __VA_ARGS__; });                         \
    });                                                                        \
  }                                                                            \
  template <i64 R, i64 C, number T>                                            \
  BELAY_OP("all." #combine)                                                    \
  T all(const Tile<R, C, T> &t) {                                              \
    return detail::twin_fold<T>(                                               \
        neutral, t.rows() * t.cols(),                                          \
        [&](i64 i) { return t.twin_at(i / t.cols(), i % t.cols()); },          \
        [](auto x, auto y) { return __VA_ARGS__; });                           \
  }

BELAY_REDUCTION(sum, sum, T(0), x + y)
BELAY_REDUCTION(prod, prod, T(1), x *y)
BELAY_REDUCTION(max, maximum, detail::twin_lowest<T>(), x < y || y != y ? y : x)
BELAY_REDUCTION(min, minimum, detail::twin_highest<T>(),
                y < x || y != y ? y : x)
#undef BELAY_REDUCTION

template <i64 R, i64 C, floating T> Col<R, T> row_mean(const Tile<R, C, T> &t) {
  return row_sum(t) * T(1.0f / float(t.cols()));
}
template <i64 R, i64 C, floating T> Row<C, T> col_mean(const Tile<R, C, T> &t) {
  return col_sum(t) * T(1.0f / float(t.rows()));
}
template <i64 R, i64 C, floating T> T mean(const Tile<R, C, T> &t) {
  return T(float(sum(t)) * (1.0f / (float(t.rows()) * float(t.cols()))));
}

/// The position of the first largest, or smallest, element of each row; of the
/// first NaN, if there is one.
#define BELAY_ARG(name, better)                                                \
  template <i64 R, i64 C, number T>                                            \
  BELAY_OP("row." #name)                                                       \
  Col<R, i32> row_##name(const Tile<R, C, T> &t) {                             \
    return Col<R, i32>::twin_make(t.rows(), 1, [&](i64 r, i64) {               \
      i64 best = 0;                                                            \
      for (i64 c = 1; c < t.cols(); ++c) {                                     \
        auto x = t.twin_at(r, best), y = t.twin_at(r, c);                      \
        if (y better x || (y != y && x == x))                                  \
          best = c;                                                            \
      }                                                                        \
      return i32(best);                                                        \
    });                                                                        \
  }                                                                            \
  /* ... of each column ... */                                                 \
  template <i64 R, i64 C, number T>                                            \
  Row<C, i32> col_##name(const Tile<R, C, T> &t) {                             \
    return transpose(row_##name(transpose(t)));                                \
  }                                                                            \
  /* ... and of all, counted row by row. */                                    \
  template <i64 R, i64 C, number T>                                            \
  BELAY_OP("all." #name)                                                       \
  i64 name(const Tile<R, C, T> &t) {                                           \
    i64 best = 0;                                                              \
    for (i64 i = 1; i < t.rows() * t.cols(); ++i) {                            \
      auto x = t.twin_at(best / t.cols(), best % t.cols());                    \
      auto y = t.twin_at(i / t.cols(), i % t.cols());                          \
      if (y better x || (y != y && x == x))                                    \
        best = i;                                                              \
    }                                                                          \
    return best;                                                               \
  }

BELAY_ARG(argmax, >)
BELAY_ARG(argmin, <)
#undef BELAY_ARG

/// Element k of each row is the combination of elements 0 to k.
#define BELAY_SCAN(name, ...)                                                  \
  template <i64 R, i64 C, number T>                                            \
  BELAY_OP("row." #name)                                                       \
  Tile<R, C, T> row_##name(const Tile<R, C, T> &t) {                           \
    Tile<R, C, T> result = copy(t);                                            \
    for (i64 r = 0; r < t.rows(); ++r)                                         \
      for (i64 c = 1; c < t.cols(); ++c) {                                     \
        auto x = detail::wide<T>(result.twin_at(r, c - 1));                    \
        auto y = detail::wide<T>(t.twin_at(r, c));                             \
        result.twin_at(r, c) = T(__VA_ARGS__);                                 \
      }                                                                        \
    return result;                                                             \
  }                                                                            \
  /* Down each column. */                                                      \
  template <i64 R, i64 C, number T>                                            \
  Tile<R, C, T> col_##name(const Tile<R, C, T> &t) {                           \
    return transpose(row_##name(transpose(t)));                                \
  }

BELAY_SCAN(cumsum, x + y)
BELAY_SCAN(cumprod, x *y)
BELAY_SCAN(cummax, x < y || y != y ? y : x)
BELAY_SCAN(cummin, y < x || y != y ? y : x)
#undef BELAY_SCAN

} // namespace belay

#endif // BELAY_KERNEL_REDUCTIONS_H
