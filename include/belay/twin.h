//===- twin.h - Kernels on the CPU of the host ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   std::vector<float> x(1000, 1), y(1000, 2), z(1000);
//   belay::twin::launch(4, [&] {
//     vec_add<float>(belay::twin::in(x.data(), 1000), ...);
//   });
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TWIN_H
#define BELAY_TWIN_H

#include "belay/kernel.h"

#include <exception>
#include <utility>

namespace belay::twin {

/// A dense view of memory of the host: as<In<float, dyn, 64>>(data, rows, 64).
template <class V, class... Extents>
V as(typename V::element_type *data, Extents... extents) {
  static_assert(sizeof...(extents) == V::rank);
  i64 shape[] = {i64(extents)...}, strides[V::rank];
  i64 stride = 1;
  for (int i = V::rank - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return V(data, shape, strides);
}

/// Runs a kernel once for each core, side by side. Throws what the first core
/// threw; the others are released at their next barrier.
template <class Kernel> void launch(i64 cores, Kernel &&kernel) {
  std::barrier<> barrier(cores);
  std::vector<std::exception_ptr> failures(cores);
  {
    std::vector<std::jthread> threads;
    for (i64 i = 0; i < cores; ++i)
      threads.emplace_back([&, i] {
        belay::detail::twin_core = {i, cores, &barrier};
        try {
          kernel();
        } catch (...) {
          failures[i] = std::current_exception();
        }
        barrier.arrive_and_drop();
      });
  }
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

/// An argument in a form that other languages can build: memory and extents of
/// a view, or a number.
struct Argument {
  void *data;
  i64 extents[5];
  double number;
};

namespace detail {

template <class T> T from(const Argument &argument) {
  if constexpr (requires { T::role; }) {
    i64 strides[T::rank], stride = 1;
    for (int i = T::rank - 1; i >= 0; --i) {
      strides[i] = stride;
      stride *= argument.extents[i];
    }
    return T(static_cast<typename T::element_type *>(argument.data),
             argument.extents, strides);
  } else {
    return T(argument.number);
  }
}
template <class... Params, std::size_t... I>
void launch_with(i64 cores, void (*kernel)(Params...),
                 const Argument *arguments, std::index_sequence<I...>) {
  launch(cores, [&] { kernel(from<Params>(arguments[I])...); });
}

} // namespace detail

/// Launches a kernel with arguments in its own order.
template <class... Params>
void launch_with(i64 cores, void (*kernel)(Params...),
                 const Argument *arguments) {
  detail::launch_with(cores, kernel, arguments,
                      std::index_sequence_for<Params...>());
}

} // namespace belay::twin

#endif // BELAY_TWIN_H
