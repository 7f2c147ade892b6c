//===- Warp.h - What the threads of a warp exchange -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_THREADS_WARP_H
#define BELAY_THREADS_WARP_H

#include "abi/Threads.h"

namespace belay::sim {

/// The active lanes of a warp, and what each of them calls.
struct Lanes {
  uint32_t Active;
  WarpCall Calls[WarpThreads];
};

inline constexpr uint32_t NoLane = ~0u;

struct Exchanged {
  uint64_t Value = 0;
  /// The lane that was asked for a value, if it is not active.
  uint32_t Absent = NoLane;
};

/// What each active lane receives.
void exchangeLanes(const Lanes &L, Exchanged (&Results)[WarpThreads]);

} // namespace belay::sim

#endif // BELAY_THREADS_WARP_H
