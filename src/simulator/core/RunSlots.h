//===- RunSlots.h - How many simulated cores run at once -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_CORE_RUNSLOTS_H
#define BELAY_SIMULATOR_CORE_RUNSLOTS_H

#include <condition_variable>
#include <mutex>

namespace belay::sim {

/// A launch has far more cores than the machine has CPUs. Letting only as many
/// run as there are CPUs keeps each core's memories in cache; a core that waits
/// for another one gives its slot away.
class RunSlots {
public:
  explicit RunSlots(unsigned Count) : Free(Count) {}

  void acquire() {
    std::unique_lock<std::mutex> Lock(M);
    Changed.wait(Lock, [this] { return Free > 0; });
    --Free;
  }
  void release() {
    std::lock_guard<std::mutex> Lock(M);
    ++Free;
    Changed.notify_one();
  }
  /// For cores that poll global memory: lets the others move.
  void yield() {
    release();
    acquire();
  }

private:
  std::mutex M;
  std::condition_variable Changed;
  unsigned Free;
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_CORE_RUNSLOTS_H
