//===- RunSlots.h - How many simulated cores run at once -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_CORE_RUNSLOTS_H
#define BELAY_SIMULATOR_CORE_RUNSLOTS_H

#include <condition_variable>
#include <deque>
#include <mutex>

namespace belay::sim {

/// A launch has far more cores than the machine has CPUs. Letting only as many
/// run as there are CPUs keeps each core's memories in cache; a core that waits
/// for another one gives its slot away. Slots go to those who wait in the order
/// in which they came: a core that polls and yields must not be served again
/// before the one that it polls for.
class RunSlots {
public:
  explicit RunSlots(unsigned Count) : Free(Count) {}

  void acquire() {
    std::unique_lock<std::mutex> Lock(M);
    wait(Lock);
  }
  void release() {
    std::lock_guard<std::mutex> Lock(M);
    give();
  }
  /// For cores that poll global memory: lets the others move.
  void yield() {
    std::unique_lock<std::mutex> Lock(M);
    if (Queue.empty())
      return;
    give();
    wait(Lock);
  }

private:
  struct Waiter {
    std::condition_variable Turn;
    bool Served = false;
  };

  void give() {
    if (Queue.empty()) {
      ++Free;
      return;
    }
    Queue.front()->Served = true;
    Queue.front()->Turn.notify_one();
    Queue.pop_front();
  }
  void wait(std::unique_lock<std::mutex> &Lock) {
    if (Free) {
      --Free;
      return;
    }
    Waiter Me;
    Queue.push_back(&Me);
    Me.Turn.wait(Lock, [&] { return Me.Served; });
  }

  std::mutex M;
  std::deque<Waiter *> Queue;
  unsigned Free;
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_CORE_RUNSLOTS_H
