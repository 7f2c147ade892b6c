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
/// This core's windows of a view of rank 2, row by row of windows.
template <i64 R, i64 C, Role Rl, class T, i64 D0, i64 D1>
BELAY_OP("range.my_tiles_2d")
detail::Range<Window<View<Rl, T, D0, D1>, R, C>> my_tiles(
    View<Rl, T, D0, D1> z) {
  i64 across = ceil_div(z.cols(), C), n = ceil_div(z.rows(), R) * across;
  return {core_index(), n, core_count(), [&](i64 i) {
            i64 row = i / across * R, col = i % across * C;
            return Window<View<Rl, T, D0, D1>, R, C>(
                z, {row, min(R, z.rows() - row)},
                {col, min(C, z.cols() - col)});
          }};
}

} // namespace belay

#endif // BELAY_KERNEL_CORES_H
