//===- Counter.h - Counting what cores execute ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_COUNTER_H
#define BELAY_MODEL_CORE_COUNTER_H

#include "abi/Counts.h"

#include <memory>
#include <mutex>

namespace belay::sim {

class Observer;

/// The counts of all cores of a launch.
struct LaunchCounts {
  std::mutex Mutex;
  Counts All = {};
};

/// Counts what one core executes.
std::unique_ptr<Observer> makeCounter(LaunchCounts &Into);

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_COUNTER_H
