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
/// threw; the others are let go at their next meeting.
template <class Kernel> void launch(i64 cores, Kernel &&kernel) {
  std::barrier<> meeting(cores);
  std::vector<std::exception_ptr> failures(cores);
  {
    std::vector<std::jthread> threads;
    for (i64 i = 0; i < cores; ++i)
      threads.emplace_back([&, i] {
        detail::twin_core = {i, cores, &meeting};
        try {
          kernel();
        } catch (...) {
          failures[i] = std::current_exception();
        }
        meeting.arrive_and_drop();
      });
  }
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace belay::twin

#endif // BELAY_TWIN_H
