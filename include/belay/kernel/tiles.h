//===- tiles.h - What is on chip --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_TILES_H
#define BELAY_KERNEL_TILES_H

#include "belay/kernel/views.h"

#include <utility> // std::move is part of the language

#if !defined(__BELAY__)
#include <memory>
#endif

namespace belay {

/// A value of at most R rows and C columns. Its extents are those of the window
/// it was loaded from; every operation works on what is there. Tiles are moved,
/// not copied: what looks cheap is.
template <i64 R, i64 C, class T> class Tile {
  static_assert(R >= 1 && C >= 1, "a tile has at least one element");
  static_assert(element<T>,
                "a tile holds half, bfloat16, float, i8 to i64, or bool");

public:
  static constexpr i64 max_rows = R, max_cols = C;
  using element_type = T;

  Tile(Tile &&) = default;
  Tile &operator=(Tile &&) = default;
  Tile(const Tile &) = delete;
  Tile &operator=(const Tile &) = delete;

  BELAY_OP("tile.rows") i64 rows() const { return rows_; }
  BELAY_OP("tile.cols") i64 cols() const { return cols_; }

#if !defined(__BELAY__)
  // The twin's side.
  Tile(i64 rows, i64 cols) : data_(new T[R * C]), rows_(rows), cols_(cols) {
    detail::require(rows >= 0 && rows <= R && cols >= 0 && cols <= C,
                    "the tile is larger than its type");
  }
  T &twin_at(i64 row, i64 col) { return data_[row * C + col]; }
  const T &twin_at(i64 row, i64 col) const { return data_[row * C + col]; }
  /// Calls the function with every position and keeps what it returns.
  template <class F> static Tile twin_make(i64 rows, i64 cols, F &&function) {
    Tile tile(rows, cols);
    for (i64 row = 0; row < rows; ++row)
      for (i64 col = 0; col < cols; ++col)
        tile.twin_at(row, col) = function(row, col);
    return tile;
  }

private:
  std::unique_ptr<T[]> data_;
  i64 rows_, cols_;
#endif
};

template <i64 C, class T> using Row = Tile<1, C, T>;
template <i64 R, class T> using Col = Tile<R, 1, T>;
template <i64 R, i64 C> using Mask = Tile<R, C, bool>;

template <i64 R, i64 C, class T>
BELAY_OP("tile.copy")
Tile<R, C, T> copy(const Tile<R, C, T> &t) {
  return Tile<R, C, T>::twin_make(
      t.rows(), t.cols(), [&](i64 r, i64 c) { return t.twin_at(r, c); });
}

/// The same value everywhere, with all rows and columns.
template <i64 R, i64 C, element T>
BELAY_OP("tile.full")
Tile<R, C, T> full(T value) {
  return Tile<R, C, T>::twin_make(R, C, [&](i64, i64) { return value; });
}
template <i64 R, i64 C, element T> Tile<R, C, T> zeros() {
  return full<R, C, T>(T(0));
}
/// The same value everywhere, with the extents of spans ...
template <element T, i64 R, i64 C>
BELAY_OP("tile.full_spans")
Tile<R, C, T> full(Span<R> row, Span<C> col, std::type_identity_t<T> value) {
  return Tile<R, C, T>::twin_make(row.size, col.size,
                                  [&](i64, i64) { return value; });
}
template <element T, i64 R, i64 C>
Tile<R, C, T> zeros(Span<R> row, Span<C> col) {
  return full<T>(row, col, T(0));
}
/// ... or of a window.
template <element T, class V, i64 R, i64 C>
Tile<R, C, T> full(const Window<V, R, C> &w, std::type_identity_t<T> value) {
  return full<T>(w.row(), w.col(), value);
}
template <element T, class V, i64 R, i64 C>
Tile<R, C, T> zeros(const Window<V, R, C> &w) {
  return full<T>(w.row(), w.col(), T(0));
}
/// One value for each row of a span or of a window.
template <element T, i64 R>
Col<R, T> column(Span<R> rows, std::type_identity_t<T> value) {
  return full<T>(rows, span<1>(0, 1), value);
}
template <element T, class V, i64 R, i64 C>
Col<R, T> column(const Window<V, R, C> &w, std::type_identity_t<T> value) {
  return column<T>(w.row(), value);
}
/// The same value everywhere, with the extents of another tile.
template <i64 R, i64 C, class U, element T>
BELAY_OP("tile.full_like")
Tile<R, C, T> full_like(const Tile<R, C, U> &like, T value) {
  return Tile<R, C, T>::twin_make(like.rows(), like.cols(),
                                  [&](i64, i64) { return value; });
}

/// start, start + 1, ... along the row.
template <i64 C, integral T> BELAY_OP("tile.iota") Row<C, T> iota(T start = 0) {
  return Row<C, T>::twin_make(1, C, [&](i64, i64 c) { return T(start + c); });
}

/// The numbers of rows, as a column, or of columns, as a row, that a span or a
/// window has.
template <integral T, i64 R>
BELAY_OP("tile.row_index")
Col<R, T> row_index(Span<R> rows) {
  return Col<R, T>::twin_make(rows.size, 1,
                              [&](i64 r, i64) { return T(rows.begin + r); });
}
template <integral T, class V, i64 R, i64 C>
Col<R, T> row_index(const Window<V, R, C> &w) {
  return row_index<T>(w.row());
}
template <integral T, i64 C>
BELAY_OP("tile.col_index")
Row<C, T> col_index(Span<C> cols) {
  return Row<C, T>::twin_make(1, cols.size,
                              [&](i64, i64 c) { return T(cols.begin + c); });
}
template <integral T, class V, i64 R, i64 C>
Row<C, T> col_index(const Window<V, R, C> &w) {
  return col_index<T>(w.col());
}

/// Exchanges rows and columns.
template <i64 R, i64 C, class T>
BELAY_OP("tile.transpose")
Tile<C, R, T> transpose(const Tile<R, C, T> &t) {
  return Tile<C, R, T>::twin_make(
      t.cols(), t.rows(), [&](i64 r, i64 c) { return t.twin_at(c, r); });
}

} // namespace belay

#endif // BELAY_KERNEL_TILES_H
