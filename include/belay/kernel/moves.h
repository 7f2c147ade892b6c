//===- moves.h - Between global memory and tiles ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_MOVES_H
#define BELAY_KERNEL_MOVES_H

#include "belay/kernel/tiles.h"

#if !defined(__BELAY__)
#include <mutex>
#endif

namespace belay {

/// What a bad index means for gather and scatter.
enum class Oob { trap, clamp, zero, wrap };

namespace detail {

template <Role R> inline constexpr bool readable = true;
template <Role R> inline constexpr bool writable = R != Role::in;

#if !defined(__BELAY__)
/// The element of a view of rank 1 or 2 at a row and a column.
template <class V> auto &twin_element(const V &view, i64 row, i64 col) {
  i64 index[2] = {row, col};
  if constexpr (V::rank == 1)
    index[0] = col;
  for (int i = 0; i < V::rank; ++i)
    require(index[i] >= 0 && index[i] < view.twin_extent(i),
            "the window is outside the view");
  return *view.twin_address(index);
}
inline void require_window(i64 begin, i64 size, i64 extent, i64 most) {
  require(size >= 0 && size <= most, "the window is larger than the tile");
  require(begin >= 0 && begin + size <= extent,
          "the window is outside the view");
}
template <i64 R, i64 C, class V>
Tile<R, C, typename V::element_type> twin_load(const V &view, Span<R> row,
                                               Span<C> col) {
  if constexpr (V::rank == 2)
    require_window(row.begin, row.size, view.twin_extent(0), R);
  require_window(col.begin, col.size, view.twin_extent(V::rank - 1), C);
  return Tile<R, C, typename V::element_type>::twin_make(
      row.size, col.size, [&](i64 r, i64 c) {
        return twin_element(view, row.begin + r, col.begin + c);
      });
}
template <i64 R, i64 C, class T>
Tile<R, C, T> twin_pad(const Tile<R, C, T> &t, T pad) {
  return Tile<R, C, T>::twin_make(R, C, [&](i64 r, i64 c) {
    return r < t.rows() && c < t.cols() ? t.twin_at(r, c) : pad;
  });
}
/// A window that may lie outside of the view, where all is one value.
template <i64 R, i64 C, class V>
Tile<R, C, typename V::element_type>
twin_load_or(const V &view, Span<R> row, Span<C> col,
             typename V::element_type value) {
  require(row.size >= 0 && row.size <= R && col.size >= 0 && col.size <= C,
          "the window is larger than the tile");
  return Tile<R, C, typename V::element_type>::twin_make(
      row.size, col.size, [&](i64 r, i64 c) {
        i64 in_row = row.begin + r, in_col = col.begin + c;
        bool inside = in_col >= 0 && in_col < view.twin_extent(V::rank - 1);
        if constexpr (V::rank == 2)
          inside = inside && in_row >= 0 && in_row < view.twin_extent(0);
        return inside ? twin_element(view, in_row, in_col) : value;
      });
}
template <class V, i64 R, i64 C, class T>
void twin_store(const V &view, Span<R> row, Span<C> col,
                const Tile<R, C, T> &t) {
  if constexpr (V::rank == 2)
    require_window(row.begin, row.size, view.twin_extent(0), R);
  require_window(col.begin, col.size, view.twin_extent(V::rank - 1), C);
  require(t.rows() >= row.size && t.cols() >= col.size,
          "the window is larger than the tile");
  for (i64 r = 0; r < row.size; ++r)
    for (i64 c = 0; c < col.size; ++c)
      twin_element(view, row.begin + r, col.begin + c) = t.twin_at(r, c);
}
/// Nothing for an index that is to be skipped.
inline bool twin_index(Oob policy, i64 &index, i64 extent) {
  if (index >= 0 && index < extent)
    return true;
  require(policy != Oob::trap, "an index names no element");
  if (policy == Oob::zero || extent == 0)
    return false;
  if (policy == Oob::clamp)
    index = index < 0 ? 0 : extent - 1;
  else
    index = (index % extent + extent) % extent;
  return true;
}
template <Oob P, i64 R, i64 K, class Source>
auto twin_take(const Source &t, const Tile<R, K, i32> &indices) {
  using T = typename Source::element_type;
  return Tile<R, K, T>::twin_make(
      indices.rows(), indices.cols(), [&](i64 r, i64 c) {
        i64 index = indices.twin_at(r, c);
        return twin_index(P, index, t.cols())
                   ? t.twin_at(Source::max_rows == 1 ? 0 : r, index)
                   : T(0);
      });
}
inline std::mutex twin_atomics;
template <class V, i64 R, i64 C, class T>
void twin_store_add(const V &view, Span<R> row, Span<C> col,
                    const Tile<R, C, T> &t) {
  require(t.rows() >= row.size && t.cols() >= col.size,
          "the window is larger than the tile");
  std::lock_guard lock(twin_atomics);
  for (i64 r = 0; r < row.size; ++r)
    for (i64 c = 0; c < col.size; ++c) {
      T &element = twin_element(view, row.begin + r, col.begin + c);
      element = T(element + t.twin_at(r, c));
    }
}
#endif

} // namespace detail

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// A span of a view of rank 1, as a row.
template <i64 N, Role Rl, class T, i64 D>
BELAY_OP("load")
Row<N, T> load(View<Rl, T, D> x, Span<N> s) {
  return detail::twin_load<1, N>(x, {0, 1}, s);
}
/// ... as a column.
template <i64 N, Role Rl, class T, i64 D>
BELAY_OP("load_column")
Col<N, T> load_column(View<Rl, T, D> x, Span<N> s) {
  return transpose(detail::twin_load<1, N>(x, {0, 1}, s));
}
/// Rows and columns of a view of rank 2.
template <i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
BELAY_OP("load")
Tile<R, C, T> load(View<Rl, T, D0, D1> x, Span<R> row, Span<C> col) {
  return detail::twin_load<R, C>(x, row, col);
}
/// The whole of a view with static extents.
template <Role Rl, class T, i64 D>
  requires(D != dyn)
BELAY_OP("load")
Row<D, T> load(View<Rl, T, D> x) {
  return detail::twin_load<1, D>(x, {0, 1}, {0, D});
}
template <Role Rl, class T, i64 D0, i64 D1>
  requires(D0 != dyn && D1 != dyn)
BELAY_OP("load")
Tile<D0, D1, T> load(View<Rl, T, D0, D1> x) {
  return detail::twin_load<D0, D1>(x, {0, D0}, {0, D1});
}
namespace detail {
/// A window of whole rows of V, which are C columns, means whole rows of
/// another view, too, which are D columns. Where others are meant, say which:
/// load(x, w.row(), span<N>(begin, size)).
template <class V, i64 C, i64 D>
concept rows_of_one_length =
    D == dyn || V::rank < 2 || V::static_extent(V::rank - 1) != C || D == C;
} // namespace detail

/// Where another view's window is: the same columns of a view of rank 1 if the
/// window has one row, and the same rows, as a column, if it has several.
template <class V, i64 N, Role Rl, class T, i64 D>
  requires(V::rank == 1)
Row<N, T> load(View<Rl, T, D> x, const Window<V, 1, N> &w) {
  return load(x, w.col());
}
template <class V, i64 R, i64 C, Role Rl, class T, i64 D>
  requires(V::rank == 2)
Col<R, T> load(View<Rl, T, D> x, const Window<V, R, C> &w) {
  return load_column(x, w.row());
}
template <class V, i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
  requires detail::rows_of_one_length<V, C, D1>
Tile<R, C, T> load(View<Rl, T, D0, D1> x, const Window<V, R, C> &w) {
  return load(x, w.row(), w.col());
}
template <class V, i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
  requires(!detail::rows_of_one_length<V, C, D1>)
__attribute__((unavailable(
    "the window has whole rows, and those of this view have another length; "
    "load(x, w.row(), span<N>(begin, size)) says which columns are meant")))
Tile<R, C, T>
load(View<Rl, T, D0, D1> x, const Window<V, R, C> &w);

/// With padding: the tile has all its rows and columns.
template <i64 N, Role Rl, class T, i64 D>
BELAY_OP("load_padded")
Row<N, T> load(View<Rl, T, D> x, Span<N> s, std::type_identity_t<T> pad) {
  return detail::twin_pad(detail::twin_load<1, N>(x, {0, 1}, s), pad);
}
template <i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
BELAY_OP("load_padded")
Tile<R, C, T> load(View<Rl, T, D0, D1> x, Span<R> row, Span<C> col,
                   std::type_identity_t<T> pad) {
  return detail::twin_pad(detail::twin_load<R, C>(x, row, col), pad);
}
template <class V, i64 N, Role Rl, class T, i64 D>
  requires(V::rank == 1)
Row<N, T> load(View<Rl, T, D> x, const Window<V, 1, N> &w,
               std::type_identity_t<T> pad) {
  return load(x, w.col(), pad);
}
template <class V, i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
  requires detail::rows_of_one_length<V, C, D1>
Tile<R, C, T> load(View<Rl, T, D0, D1> x, const Window<V, R, C> &w,
                   std::type_identity_t<T> pad) {
  return load(x, w.row(), w.col(), pad);
}

/// A window that may begin before the view or end after it; elements outside of
/// the view are a value.
template <i64 N, Role Rl, class T, i64 D>
BELAY_OP("load_or")
Row<N, T> load_or(View<Rl, T, D> x, Span<N> s, std::type_identity_t<T> value) {
  return detail::twin_load_or<1, N>(x, {0, 1}, s, value);
}
template <i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
BELAY_OP("load_or")
Tile<R, C, T> load_or(View<Rl, T, D0, D1> x, Span<R> row, Span<C> col,
                      std::type_identity_t<T> value) {
  return detail::twin_load_or<R, C>(x, row, col, value);
}

/// One element for each core; at most 64 cores.
inline constexpr i64 max_cores = 64;
template <class T>
BELAY_OP("load_per_core")
Row<max_cores, T> load_all(PerCore<T> x) {
  return detail::twin_load<1, max_cores>(x, {0, 1}, {0, x.twin_extent(0)});
}

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

/// Into a window that belongs to this core.
template <class V, i64 R, i64 C, class T>
  requires(detail::writable<V::role>)
BELAY_OP("store_window")
void store(const Window<V, R, C> &w, const Tile<R, C, T> &t) {
  static_assert(std::is_same_v<typename V::element_type, T>,
                "the tile and the view have different element types");
  detail::twin_store(w.twin_view(), w.row(), w.col(), t);
}
/// Into places of the kernel's own choice; the proofs must find that no other
/// core writes there.
template <i64 N, Role Rl, class T, i64 D>
  requires(detail::writable<Rl>)
BELAY_OP("store")
void store(View<Rl, T, D> z, Span<N> s, const Tile<1, N, T> &t) {
  detail::twin_store(z, Span<1>{0, 1}, s, t);
}
template <i64 N, Role Rl, class T, i64 D>
  requires(detail::writable<Rl> && N > 1)
BELAY_OP("store_column")
void store(View<Rl, T, D> z, Span<N> s, const Tile<N, 1, T> &t) {
  detail::twin_store(z, Span<1>{0, 1}, s, transpose(t));
}
template <i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
  requires(detail::writable<Rl>)
BELAY_OP("store")
void store(View<Rl, T, D0, D1> z, Span<R> row, Span<C> col,
           const Tile<R, C, T> &t) {
  detail::twin_store(z, row, col, t);
}
/// A single element.
template <Role Rl, class T, i64 D>
  requires(detail::writable<Rl>)
BELAY_OP("store_scalar")
void store(View<Rl, T, D> z, i64 index, std::type_identity_t<T> value) {
  detail::twin_element(z, 0, index) = value;
}
/// Adds to what is there; several cores may add to one element.
template <i64 N, Role Rl, class T, i64 D>
  requires(detail::writable<Rl>)
BELAY_OP("store_add")
void store_add(View<Rl, T, D> z, Span<N> s, const Tile<1, N, T> &t) {
  detail::twin_store_add(z, Span<1>{0, 1}, s, t);
}
template <i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
  requires(detail::writable<Rl>)
BELAY_OP("store_add")
void store_add(View<Rl, T, D0, D1> z, Span<R> row, Span<C> col,
               const Tile<R, C, T> &t) {
  detail::twin_store_add(z, row, col, t);
}
template <class V, i64 R, i64 C, class T>
  requires(detail::writable<V::role>)
BELAY_OP("store_add_window")
void store_add(const Window<V, R, C> &w, const Tile<R, C, T> &t) {
  static_assert(std::is_same_v<typename V::element_type, T>,
                "the tile and the view have different element types");
  detail::twin_store_add(w.twin_view(), w.row(), w.col(), t);
}
/// This core's element.
template <class T>
BELAY_OP("store_per_core")
void store_mine(PerCore<T> x, std::type_identity_t<T> value);

//===----------------------------------------------------------------------===//
// By index
//===----------------------------------------------------------------------===//

/// Row i of the result is the row of the table that the i-th index names.
template <Oob P = Oob::trap, i64 R, i64 C, integral I, Role Rl, class T, i64 D>
BELAY_OP("gather")
Tile<R, C, T> gather(View<Rl, T, D, C> table, const Tile<R, 1, I> &indices) {
  return Tile<R, C, T>::twin_make(indices.rows(), C, [&](i64 r, i64 c) {
    i64 index = indices.twin_at(r, 0);
    return detail::twin_index(P, index, table.twin_extent(0))
               ? detail::twin_element(table, index, c)
               : T(0);
  });
}
/// Every element of the result is the element that its index names.
template <Oob P = Oob::trap, i64 R, i64 C, integral I, Role Rl, class T, i64 D>
BELAY_OP("gather")
Tile<R, C, T> gather(View<Rl, T, D> table, const Tile<R, C, I> &indices) {
  return Tile<R, C, T>::twin_make(
      indices.rows(), indices.cols(), [&](i64 r, i64 c) {
        i64 index = indices.twin_at(r, c);
        return detail::twin_index(P, index, table.twin_extent(0))
                   ? detail::twin_element(table, 0, index)
                   : T(0);
      });
}
/// Of a tile: every element of the result is the element of its own row that
/// its index names.
template <Oob P = Oob::trap, i64 R, i64 C, i64 K, class T>
BELAY_OP("take")
Tile<R, K, T> gather(const Tile<R, C, T> &t, const Tile<R, K, i32> &indices) {
  detail::require(t.rows() == indices.rows(),
                  "a tile and its indices have as many rows");
  return detail::twin_take<P, R, K>(t, indices);
}
/// Of a row: indices of any shape.
template <Oob P = Oob::trap, i64 R, i64 C, i64 K, class T>
  requires(R > 1)
BELAY_OP("take")
Tile<R, K, T> gather(const Tile<1, C, T> &t, const Tile<R, K, i32> &indices) {
  return detail::twin_take<P, R, K>(t, indices);
}
/// Adds row i to the row of the table that the i-th index names.
template <Oob P = Oob::trap, i64 R, i64 C, integral I, Role Rl, class T, i64 D>
  requires(detail::writable<Rl>)
BELAY_OP("scatter_add")
void scatter_add(View<Rl, T, D, C> table, const Tile<R, 1, I> &indices,
                 const Tile<R, C, T> &t) {
  std::lock_guard lock(detail::twin_atomics);
  for (i64 r = 0; r < t.rows(); ++r) {
    i64 index = indices.twin_at(r, 0);
    if (!detail::twin_index(P, index, table.twin_extent(0)))
      continue;
    for (i64 c = 0; c < t.cols(); ++c) {
      T &element = detail::twin_element(table, index, c);
      element = T(element + t.twin_at(r, c));
    }
  }
}

} // namespace belay

#endif // BELAY_KERNEL_MOVES_H
