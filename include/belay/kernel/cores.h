//===- cores.h - Work among cores, contracts --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_CORES_H
#define BELAY_KERNEL_CORES_H

#include "belay/kernel/moves.h"

#if !defined(__BELAY__)
#include <barrier>
#include <thread>
#include <vector>
#endif

namespace belay {
namespace detail {

#if !defined(__BELAY__)
/// Where the twin of this thread is.
struct TwinCore {
  i64 index = 0, count = 1;
  std::barrier<> *barrier = nullptr;
};
inline thread_local TwinCore twin_core;
#endif

/// What a range-based for visits; the compiler reads the function that made it.
template <class Item> class Range {
#if !defined(__BELAY__)
public:
  template <class At> Range(i64 first, i64 last, i64 step, At &&at) {
    for (i64 i = first; i < last; i += step)
      items_.push_back(at(i));
  }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

private:
  std::vector<Item> items_;
#else
public:
  struct iterator {
    const Item &operator*() const;
    iterator &operator++();
    bool operator!=(const iterator &) const;
  };
  iterator begin() const;
  iterator end() const;
#endif
};

} // namespace detail

/// What must hold at the launch. The launcher checks it; the proofs use it.
BELAY_OP("expects") inline void expects(bool condition) {
  detail::require(condition, "what the kernel expects does not hold");
}

BELAY_OP("core_index") inline i64 core_index() {
  return detail::twin_core.index;
}
BELAY_OP("core_count") inline i64 core_count() {
  return detail::twin_core.count;
}
inline bool first_core() { return core_index() == 0; }

/// A barrier of all cores; earlier writes are visible after it.
BELAY_OP("sync_cores") inline void sync_cores() {
  if (detail::twin_core.barrier)
    detail::twin_core.barrier->arrive_and_wait();
}

template <class T>
void store_mine(PerCore<T> x, std::type_identity_t<T> value) {
  detail::twin_element(x, 0, detail::twin_core.index) = value;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// Spans that cover 0 to n, all of them, in order; the last may be short.
template <i64 N> BELAY_OP("range.tiles") detail::Range<Span<N>> tiles(i64 n) {
  return {0, n, N, [&](i64 i) { return Span<N>{i, min(N, n - i)}; }};
}
/// Spans that cover a part, from an index on to another.
template <i64 N>
BELAY_OP("range.tiles_between")
detail::Range<Span<N>> tiles(i64 from, i64 to) {
  return {from, to, N, [&](i64 i) { return Span<N>{i, min(N, to - i)}; }};
}
/// This core's share of the spans that cover 0 to n.
template <i64 N>
BELAY_OP("range.my_spans")
detail::Range<Span<N>> my_spans(i64 n) {
  return {core_index() * N, n, core_count() * N,
          [&](i64 i) { return Span<N>{i, min(N, n - i)}; }};
}
/// This core's windows of a view of rank 1.
template <i64 N, Role Rl, class T, i64 D>
BELAY_OP("range.my_tiles")
detail::Range<Window<View<Rl, T, D>, 1, N>> my_tiles(View<Rl, T, D> z) {
  i64 n = z.size();
  return {core_index() * N, n, core_count() * N, [&](i64 i) {
            return Window<View<Rl, T, D>, 1, N>(z, {0, 1}, {i, min(N, n - i)});
          }};
}
/// This core's whole rows of a view of rank 2 with static columns.
template <i64 R, Role Rl, class T, i64 D, i64 C>
  requires(C != dyn)
BELAY_OP("range.my_rows")
detail::Range<Window<View<Rl, T, D, C>, R, C>> my_rows(View<Rl, T, D, C> z) {
  i64 n = z.rows();
  return {core_index() * R, n, core_count() * R, [&](i64 i) {
            return Window<View<Rl, T, D, C>, R, C>(z, {i, min(R, n - i)},
                                                   {0, C});
          }};
}
#if !defined(__BELAY__)
namespace detail {
/// This core's windows of a view of rank 2 or more, plane by plane, and in each
/// row by row of windows; all of them for each part.
template <i64 R, i64 C, i64 S, class V>
Range<Window<V, R, C>> twin_windows(V z) {
  constexpr int rows = V::rank - 2, cols = V::rank - 1;
  i64 planes = 1;
  for (int i = 0; i < rows; ++i)
    planes *= z.twin_extent(i);
  i64 across = ceil_div(z.twin_extent(cols), C),
      windows = ceil_div(z.twin_extent(rows), R) * across;
  i64 all = planes * windows;
  return {core_index(), S * all, core_count(), [&](i64 i) {
            i64 row = i % windows / across * R, col = i % across * C;
            return Window<V, R, C>(z, {row, min(R, z.twin_extent(rows) - row)},
                                   {col, min(C, z.twin_extent(cols) - col)},
                                   i / windows % planes, i / all);
          }};
}
} // namespace detail
#endif

/// This core's windows of a view of rank 2, row by row of windows; of all
/// planes of a view of rank 3 to 5, one after the other.
template <i64 R, i64 C, Role Rl, class T, i64... D>
  requires(sizeof...(D) >= 2)
BELAY_OP("range.my_windows")
detail::Range<Window<View<Rl, T, D...>, R, C>> my_tiles(View<Rl, T, D...> z) {
  return detail::twin_windows<R, C, 1>(z);
}
/// The same S times: w.part(), from 0 to S - 1, says which. Different cores
/// have the same window then, to add to it by store_add what each has summed
/// up of its part.
template <i64 R, i64 C, i64 S, Role Rl, class T, i64... D>
  requires(sizeof...(D) >= 2 && S >= 1 && S <= 1024)
BELAY_OP("range.my_parts")
detail::Range<Window<View<Rl, T, D...>, R, C>> my_tiles(View<Rl, T, D...> z) {
  return detail::twin_windows<R, C, S>(z);
}
} // namespace belay

#endif // BELAY_KERNEL_CORES_H
