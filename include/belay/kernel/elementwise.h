//===- elementwise.h - Mathematics on tiles ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row (Tile<1, C>) broadcasts over the rows of a tile, a column (Tile<R, 1>)
// over its columns, a scalar over all elements.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_ELEMENTWISE_H
#define BELAY_KERNEL_ELEMENTWISE_H

#include "belay/kernel/tiles.h"

#if !defined(__BELAY__)
#include <cmath>
#endif

namespace belay {

/// How a conversion to a smaller type rounds.
enum class Round { nearest, floor, ceil, away, zero };

namespace detail {

template <i64 A, i64 B> inline constexpr bool fits = A == B || A == 1 || B == 1;
template <i64 A, i64 B> inline constexpr i64 larger = A < B ? B : A;

#if !defined(__BELAY__)
/// The type that an operation on T computes in.
template <class T>
using wide = std::conditional_t<is_float<T>, float,
                                std::conditional_t<is_int<T>, i64, bool>>;

template <class U, i64 R, i64 C, class T, class F>
Tile<R, C, U> twin_map(const Tile<R, C, T> &t, F &&function) {
  return Tile<R, C, U>::twin_make(t.rows(), t.cols(), [&](i64 r, i64 c) {
    return U(function(wide<T>(t.twin_at(r, c))));
  });
}
/// An extent that both have, where one of them may be repeated.
template <i64 A, i64 B> i64 twin_extent(i64 a, i64 b) {
  if (A == B)
    require(a == b, "operands are tiles with different extents");
  return A == 1 ? b : a;
}
template <class U, i64 R, i64 C, i64 S, i64 D, class T, class F>
Tile<larger<R, S>, larger<C, D>, U>
twin_zip(const Tile<R, C, T> &a, const Tile<S, D, T> &b, F &&function) {
  i64 rows = twin_extent<R, S>(a.rows(), b.rows());
  i64 cols = twin_extent<C, D>(a.cols(), b.cols());
  auto at = [](const auto &t, i64 r, i64 c) {
    return wide<T>(t.twin_at(t.max_rows == 1 ? 0 : r, t.max_cols == 1 ? 0 : c));
  };
  return Tile<larger<R, S>, larger<C, D>, U>::twin_make(
      rows, cols,
      [&](i64 r, i64 c) { return U(function(at(a, r, c), at(b, r, c))); });
}
#endif

} // namespace detail

// Why a function is deleted, for compilers that can say it.
#if defined(__clang__) && __cpp_deleted_function >= 202403L
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#define BELAY_DELETED(reason) delete (reason)
#else
#define BELAY_DELETED(reason) delete
#endif

// One name, three forms: two tiles, tile and scalar, scalar and tile. Two that
// do not go together are named, so that no list of candidates is shown.
#define BELAY_BINARY(declared, name, constraint, result, ...)                  \
  template <i64 R, i64 C, i64 S, i64 D, class T, class U>                      \
    requires(!std::is_same_v<T, U>)                                            \
  void declared(const Tile<R, C, T> &a, const Tile<S, D, U> &b) =              \
      BELAY_DELETED("the tiles have different elements; cast<T>(...) "         \
                    "converts one of them");                                   \
  template <i64 R, i64 C, i64 S, i64 D, class T>                               \
    requires(!detail::fits<R, S> || !detail::fits<C, D>)                       \
  void declared(const Tile<R, C, T> &a, const Tile<S, D, T> &b) =              \
      BELAY_DELETED("the tiles have different extents; one of them has to be " \
                    "a row, a column or as large as the other");               \
  template <i64 R, i64 C, i64 S, i64 D, constraint T>                          \
    requires(detail::fits<R, S> && detail::fits<C, D>)                         \
  BELAY_OP(name)                                                               \
  Tile<detail::larger<R, S>, detail::larger<C, D>, result> declared(           \
      const Tile<R, C, T> &a, const Tile<S, D, T> &b) {                        \
    return detail::twin_zip<result>(                                           \
        a, b, [](auto x, auto y) { return __VA_ARGS__; });                     \
  }                                                                            \
  template <i64 R, i64 C, constraint T>                                        \
  BELAY_OP(name)                                                               \
  Tile<R, C, result> declared(const Tile<R, C, T> &a,                          \
                              std::type_identity_t<T> b) {                     \
    auto y = detail::wide<T>(b);                                               \
    return detail::twin_map<result>(a, [&](auto x) { return __VA_ARGS__; });   \
  }                                                                            \
  template <i64 R, i64 C, constraint T>                                        \
  BELAY_OP(name)                                                               \
  Tile<R, C, result> declared(std::type_identity_t<T> a,                       \
                              const Tile<R, C, T> &b) {                        \
    auto x = detail::wide<T>(a);                                               \
    return detail::twin_map<result>(b, [&](auto y) { return __VA_ARGS__; });   \
  }

BELAY_BINARY(operator+, "add", number, T, x + y)
BELAY_BINARY(operator-, "sub", number, T, x - y)
BELAY_BINARY(operator*, "mul", number, T, x *y)
BELAY_BINARY(operator/, "div", floating, T, x / y)
BELAY_BINARY(max, "max", number, T, x < y || y != y ? y : x)
BELAY_BINARY(min, "min", number, T, y < x || y != y ? y : x)
BELAY_BINARY(pow, "pow", floating, T, std::pow(x, y))
BELAY_BINARY(operator&, "and", integral, T, x &y)
BELAY_BINARY(operator|, "or", integral, T, x | y)
BELAY_BINARY(operator<<, "shl", integral, T, x << y)
BELAY_BINARY(operator>>, "shr", integral, T, x >> y)
BELAY_BINARY(operator<, "lt", number, bool, x < y)
BELAY_BINARY(operator<=, "le", number, bool, x <= y)
BELAY_BINARY(operator>, "gt", number, bool, x > y)
BELAY_BINARY(operator>=, "ge", number, bool, x >= y)
BELAY_BINARY(operator==, "eq", number, bool, x == y)
BELAY_BINARY(operator!=, "ne", number, bool, x != y)
#undef BELAY_BINARY
#undef BELAY_DELETED
#if defined(__clang__) && __cpp_deleted_function >= 202403L
#pragma clang diagnostic pop
#endif

#define BELAY_UNARY(declared, name, constraint, ...)                           \
  template <i64 R, i64 C, constraint T>                                        \
  BELAY_OP(name)                                                               \
  Tile<R, C, T> declared(const Tile<R, C, T> &t) {                             \
    return detail::twin_map<T>(t, [](auto x) { return __VA_ARGS__; });         \
  }

BELAY_UNARY(operator-, "neg", number, -x)
BELAY_UNARY(abs, "abs", number, x < 0 ? -x : x)
BELAY_UNARY(exp, "exp", floating, std::exp(x))
BELAY_UNARY(log, "log", floating, std::log(x))
BELAY_UNARY(sqrt, "sqrt", floating, std::sqrt(x))
BELAY_UNARY(rsqrt, "rsqrt", floating, 1 / std::sqrt(x))
BELAY_UNARY(reciprocal, "reciprocal", floating, 1 / x)
BELAY_UNARY(tanh, "tanh", floating, std::tanh(x))
BELAY_UNARY(erf, "erf", floating, std::erf(x))
BELAY_UNARY(sin, "sin", floating, std::sin(x))
BELAY_UNARY(cos, "cos", floating, std::cos(x))
BELAY_UNARY(floor, "floor", floating, std::floor(x))
BELAY_UNARY(ceil, "ceil", floating, std::ceil(x))
BELAY_UNARY(round, "round", floating, std::nearbyint(x))
BELAY_UNARY(trunc, "trunc", floating, std::trunc(x))
BELAY_UNARY(operator~, "not", integral, ~x)
#undef BELAY_UNARY

// Masks.
template <i64 R, i64 C>
BELAY_OP("mask.and")
Mask<R, C> operator&(const Mask<R, C> &a, const Mask<R, C> &b) {
  return detail::twin_zip<bool>(a, b, [](bool x, bool y) { return x && y; });
}
template <i64 R, i64 C>
BELAY_OP("mask.or")
Mask<R, C> operator|(const Mask<R, C> &a, const Mask<R, C> &b) {
  return detail::twin_zip<bool>(a, b, [](bool x, bool y) { return x || y; });
}
template <i64 R, i64 C>
BELAY_OP("mask.not")
Mask<R, C> operator!(const Mask<R, C> &m) {
  return detail::twin_map<bool>(m, [](bool x) { return !x; });
}
template <i64 R, i64 C, number T>
BELAY_OP("select")
Tile<R, C, T> select(const Mask<R, C> &m, const Tile<R, C, T> &a,
                     const Tile<R, C, T> &b) {
  detail::require(m.rows() == a.rows() && m.cols() == a.cols() &&
                      a.rows() == b.rows() && a.cols() == b.cols(),
                  "operands are tiles with different extents");
  return Tile<R, C, T>::twin_make(a.rows(), a.cols(), [&](i64 r, i64 c) {
    return m.twin_at(r, c) ? a.twin_at(r, c) : b.twin_at(r, c);
  });
}
template <i64 R, i64 C, number T>
Tile<R, C, T> select(const Mask<R, C> &m, const Tile<R, C, T> &a,
                     std::type_identity_t<T> b) {
  return select(m, a, full_like(a, b));
}

/// Converts every element. To integers: rounds as asked, then saturates, and so
/// does an integer that is too large for a narrower one.
template <number U, Round Mode = Round::nearest, i64 R, i64 C, number T>
BELAY_OP("cast")
Tile<R, C, U> cast(const Tile<R, C, T> &t) {
  return detail::twin_map<U>(t, [](auto x) {
    if constexpr (is_float<T> && is_int<U>) {
      float whole = Mode == Round::nearest ? std::nearbyint(x)
                    : Mode == Round::floor ? std::floor(x)
                    : Mode == Round::ceil  ? std::ceil(x)
                    : Mode == Round::away  ? std::round(x)
                                           : std::trunc(x);
      constexpr float limit = 2.0f * (i64(1) << (8 * sizeof(U) - 2));
      constexpr U highest = U(~(U(1) << (8 * sizeof(U) - 1)));
      return whole != whole    ? U(0)
             : whole >= limit  ? highest
             : whole <= -limit ? U(-highest - 1)
                               : U(whole);
    } else if constexpr (is_int<T> && is_int<U> && sizeof(U) < sizeof(T)) {
      constexpr T highest = T((T(1) << (8 * sizeof(U) - 1)) - 1);
      return x > highest        ? U(highest)
             : x < -highest - 1 ? U(-highest - 1)
                                : U(x);
    } else {
      return U(x);
    }
  });
}

// In the language itself.
template <i64 R, i64 C, number T> Tile<R, C, T> relu(const Tile<R, C, T> &t) {
  return max(t, T(0));
}
template <i64 R, i64 C, number T>
Tile<R, C, T> clamp(const Tile<R, C, T> &t, std::type_identity_t<T> low,
                    std::type_identity_t<T> high) {
  return min(max(t, low), high);
}
template <i64 R, i64 C, floating T>
Tile<R, C, T> sigmoid(const Tile<R, C, T> &t) {
  return reciprocal(exp(-t) + T(1));
}

} // namespace belay

#endif // BELAY_KERNEL_ELEMENTWISE_H
