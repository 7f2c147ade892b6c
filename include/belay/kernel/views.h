//===- views.h - Views of global memory -------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view has an element type, one to five extents (each static or `dyn`), and a
// role. It has no pointer that a kernel could see: elements are reached by
// load and store.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_VIEWS_H
#define BELAY_KERNEL_VIEWS_H

#include "belay/kernel/scalars.h"

#include <utility>

#if !defined(__BELAY__)
#include <stdexcept>
#include <string>
#endif

namespace belay {

#if !defined(__BELAY__)
/// What the host twin throws where the compiler would have refused the kernel
/// or placed a guard.
class violation : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
#endif

namespace detail {

#if !defined(__BELAY__)
inline void require(bool holds, const char *rule) {
  if (!holds)
    throw violation(rule);
}
/// How many indices a step apart are among so many. Less than a step after the
/// end there are none; what is further away is refused, as by the proofs.
inline i64 twin_steps(i64 indices, i64 step) {
  i64 steps = ceil_div(indices, step);
  require(steps >= 0, "the first index is outside the view");
  return steps;
}
#endif

template <i64... Dims> struct dims {
  static constexpr int rank = sizeof...(Dims);
  static constexpr i64 values[] = {Dims...};
};

} // namespace detail

/// What a kernel may do with a view.
enum class Role { in, out, inout, per_core };

template <Role R, class T, i64... Dims> class View;

namespace detail {

template <Role R, class T, i64... Dims> struct view_of {
  using type = View<R, T, Dims...>;
};
template <Role R, class T> struct view_of<R, T> {
  using type = View<R, T, dyn>;
};
/// Without its first extent.
template <Role R, class T, i64 First, i64... Rest> struct view_inside {
  using type = View<R, T, Rest...>;
};
template <Role R, class T, i64... Dims> struct view_turned {
  using type = void;
};
template <Role R, class T, i64 Rows, i64 Cols>
struct view_turned<R, T, Rows, Cols> {
  using type = View<R, T, Cols, Rows>;
};
/// With these extents of a shape, in this order.
template <Role R, class T, class Shape, int... I>
using view_picked = View<R, T, Shape::values[I]...>;
/// Without extent D.
template <int D, Role R, class T, class Shape,
          class = std::make_integer_sequence<int, Shape::rank - 1>>
struct view_sliced;
template <int D, Role R, class T, class Shape, int... I>
struct view_sliced<D, R, T, Shape, std::integer_sequence<int, I...>> {
  using type = view_picked<R, T, Shape, (I < D ? I : I + 1)...>;
};
/// With extent D open.
template <int D, Role R, class T, class Shape,
          class = std::make_integer_sequence<int, Shape::rank>>
struct view_opened;
template <int D, Role R, class T, class Shape, int... I>
struct view_opened<D, R, T, Shape, std::integer_sequence<int, I...>> {
  using type = View<R, T, (I == D ? dyn : Shape::values[I])...>;
};
/// Whether all of 0 to the rank are among some numbers.
template <int... Order> constexpr bool is_permutation() {
  constexpr int rank = sizeof...(Order);
  unsigned found = 0;
  ((found |= Order >= 0 && Order < rank ? 1u << Order : 0), ...);
  return found == (1u << rank) - 1;
}

} // namespace detail

template <Role R, class T, i64... Dims> class View {
  using shape = detail::dims<Dims...>;
  static_assert(number<T>, "a view holds half, bfloat16, float, or i8 to i64");
  static_assert(shape::rank >= 1 && shape::rank <= 5,
                "a view has one to five extents");

public:
  static constexpr int rank = shape::rank;
  static constexpr Role role = R;
  using element_type = T;
  /// A static extent, or dyn.
  static constexpr i64 static_extent(int i) { return shape::values[i]; }

  /// The extent of a dimension, which is a constant.
  BELAY_OP("view.extent") i64 extent(int i) const {
    detail::require(i >= 0 && i < rank, "the view has no such dimension");
    return extents_[i];
  }
  BELAY_OP("view.size")
  i64 size() const
    requires(rank == 1)
  {
    return extents_[0];
  }
  BELAY_OP("view.rows")
  i64 rows() const
    requires(rank == 2)
  {
    return extents_[0];
  }
  BELAY_OP("view.cols")
  i64 cols() const
    requires(rank == 2)
  {
    return extents_[1];
  }

  /// The view at one index of the first dimension.
  BELAY_OP("view.at")
  typename detail::view_inside<R, T, Dims...>::type operator[](i64 i) const
    requires(rank > 1)
  {
    detail::require(i >= 0 && i < extents_[0], "the index is outside the view");
    return {data_ + i * strides_[0], extents_ + 1, strides_ + 1};
  }
  /// Every step-th element from the first one.
  BELAY_OP("view.strided")
  View<R, T, dyn> strided(i64 first, i64 step) const
    requires(rank == 1)
  {
    detail::require(first >= 0 && step >= 1,
                    "the first element is before the view, or the step is "
                    "below 1");
    i64 extent = detail::twin_steps(extents_[0] - first, step);
    i64 stride = strides_[0] * step;
    return {data_ + first * strides_[0], &extent, &stride};
  }
  /// Every step-th index of dimension D from the first one.
  template <int D>
    requires(D >= 0 && D < rank)
  BELAY_OP("view.strided")
  typename detail::view_opened<D, R, T, shape>::type
      strided(i64 first, i64 step) const {
    detail::require(first >= 0 && step >= 1,
                    "the first index is before the view, or the step is "
                    "below 1");
    i64 extents[rank], strides[rank];
    for (int i = 0; i < rank; ++i) {
      extents[i] = extents_[i];
      strides[i] = strides_[i];
    }
    extents[D] = detail::twin_steps(extents_[D] - first, step);
    strides[D] *= step;
    return {data_ + first * strides_[D], extents, strides};
  }
  /// The view at one index of dimension D.
  template <int D>
    requires(rank > 1 && D >= 0 && D < rank)
  BELAY_OP("view.slice")
  typename detail::view_sliced<D, R, T, shape>::type slice(i64 i) const {
    detail::require(i >= 0 && i < extents_[D], "the index is outside the view");
    i64 extents[rank], strides[rank];
    for (int from = 0, to = 0; from < rank; ++from)
      if (from != D) {
        extents[to] = extents_[from];
        strides[to++] = strides_[from];
      }
    return {data_ + i * strides_[D], extents, strides};
  }
  /// The dimensions in another order: the first is dimension Order[0] of this
  /// view.
  template <int... Order>
    requires(sizeof...(Order) == rank && detail::is_permutation<Order...>())
  BELAY_OP("view.permuted")
  detail::view_picked<R, T, shape, Order...> permuted() const {
    i64 extents[] = {extents_[Order]...};
    i64 strides[] = {strides_[Order]...};
    return {data_, extents, strides};
  }
  /// Rows as columns.
  BELAY_OP("view.transposed")
  typename detail::view_turned<R, T, Dims...>::type transposed() const
    requires(rank == 2)
  {
    i64 extents[] = {extents_[1], extents_[0]};
    i64 strides[] = {strides_[1], strides_[0]};
    return {data_, extents, strides};
  }

#if !defined(__BELAY__)
  // The twin's side. A kernel that used it would be refused.
  View(T *data, const i64 *extents, const i64 *strides) : data_(data) {
    for (int i = 0; i < rank; ++i) {
      extents_[i] = extents[i];
      strides_[i] = strides[i];
      detail::require(shape::values[i] == dyn || shape::values[i] == extents[i],
                      "an extent differs from the one in the view's type");
    }
  }
  T *twin_address(const i64 *index) const {
    T *address = data_;
    for (int i = 0; i < rank; ++i)
      address += index[i] * strides_[i];
    return address;
  }
  i64 twin_extent(int i) const { return extents_[i]; }

private:
  T *data_;
  i64 extents_[rank];
  i64 strides_[rank];
#endif
};

/// The same as functions, which need no 'template' where a type is not known.
template <int D, Role R, class T, i64... Dims>
auto strided(View<R, T, Dims...> x, i64 first, i64 step) {
  return x.template strided<D>(first, step);
}
template <int D, Role R, class T, i64... Dims>
auto slice(View<R, T, Dims...> x, i64 i) {
  return x.template slice<D>(i);
}
template <int... Order, Role R, class T, i64... Dims>
auto permuted(View<R, T, Dims...> x) {
  return x.template permuted<Order...>();
}

/// Read only.
template <class T, i64... Dims>
using In = typename detail::view_of<Role::in, T, Dims...>::type;
/// Written; reading it back is allowed where the kernel has written.
template <class T, i64... Dims>
using Out = typename detail::view_of<Role::out, T, Dims...>::type;
/// Read and written.
template <class T, i64... Dims>
using InOut = typename detail::view_of<Role::inout, T, Dims...>::type;
/// One element for each core, which the launcher provides.
template <class T> using PerCore = View<Role::per_core, T, dyn>;

/// At most N consecutive indices.
template <i64 N> struct Span {
  static_assert(N >= 1);
  i64 begin;
  i64 size;
};

/// A span that the kernel chose itself; the proofs look at it.
template <i64 N> BELAY_OP("span") Span<N> span(i64 begin, i64 size) {
  detail::require(size >= 0 && size <= N, "the span is larger than its type");
  return {begin, size};
}

/// At most R rows and C columns of a view. A window of a view of rank 1 has one
/// row; of a view of rank 3 or more, it lies in one plane.
template <class V, i64 R, i64 C> class Window {
public:
  BELAY_OP("window.row") Span<R> row() const { return row_; }
  BELAY_OP("window.col") Span<C> col() const { return col_; }
  /// Which plane of a view of rank 3.
  BELAY_OP("window.plane")
  i64 plane() const
    requires(V::rank == 3)
  {
    return plane_;
  }
  /// Of a view of more dimensions: its index in dimension i, which is a
  /// constant and not one of the last two.
  BELAY_OP("window.plane")
  i64 plane(int i) const
    requires(V::rank > 2)
  {
    detail::require(i >= 0 && i < V::rank - 2, "planes have no such dimension");
    i64 index = plane_;
    for (int inner = V::rank - 3; inner > i; --inner)
      index /= view_.twin_extent(inner);
    return i ? index % view_.twin_extent(i) : index;
  }

  /// Which of the parts of my_tiles<R, C, S>; 0 of other windows.
  BELAY_OP("window.part") i64 part() const { return part_; }

#if !defined(__BELAY__)
  Window(V view, Span<R> row, Span<C> col, i64 plane = 0, i64 part = 0)
      : view_(view), row_(row), col_(col), plane_(plane), part_(part) {}
  /// The view of which the window has rows and columns.
  auto twin_view() const {
    if constexpr (V::rank == 5)
      return view_[plane(0)][plane(1)][plane(2)];
    else if constexpr (V::rank == 4)
      return view_[plane(0)][plane(1)];
    else if constexpr (V::rank == 3)
      return view_[plane_];
    else
      return view_;
  }

private:
  V view_;
  Span<R> row_;
  Span<C> col_;
  /// Planes are counted row by row.
  i64 plane_;
  i64 part_;
#endif
};

} // namespace belay

#endif // BELAY_KERNEL_VIEWS_H
