//===- RunSlots.h - How many simulated cores run at once --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_RUNSLOTS_H
#define BELAY_MODEL_CORE_RUNSLOTS_H

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <random>

namespace belay::sim {

/// A launch has far more cores than the machine has CPUs. Letting only as many
/// run as there are CPUs keeps each core's memories in cache; a core that waits
/// for another one gives its slot away. Slots go to those who wait in the order
/// in which they came: a core that polls and yields must not be served again
/// before the one that it polls for.
class RunSlots {
public:
  explicit RunSlots(unsigned Count) : Free(Count) {}

  /// For one core at a time: nobody starts before all have come, so the first
  /// is the one with the lowest number, whichever thread was faster.
  void startTogether(unsigned NumCores) {
    Free = 0;
    Missing = NumCores;
  }
  /// From now on a random number says who is next; the seed alone decides.
  void chooseRandomly(uint64_t Seed) {
    IsRandom = true;
    Random.seed(Seed);
  }
  bool isRandom() const { return IsRandom; }

  void acquire(uint32_t Core = 0) {
    std::unique_lock<std::mutex> Lock(M);
    wait(Lock, Core);
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
    uint32_t Core = 0;
    std::condition_variable Ready;
    bool Served = false;
  };

  void give() {
    if (Queue.empty()) {
      ++Free;
      return;
    }
    size_t Next = IsRandom ? Random() % Queue.size() : 0;
    Queue[Next]->Served = true;
    Queue[Next]->Ready.notify_one();
    Queue.erase(Queue.begin() + static_cast<long>(Next));
  }
  void wait(std::unique_lock<std::mutex> &Lock, uint32_t Core = 0) {
    if (Free) {
      --Free;
      return;
    }
    Waiter Me;
    Me.Core = Core;
    Queue.push_back(&Me);
    if (Missing && --Missing == 0) {
      std::sort(Queue.begin(), Queue.end(),
                [](Waiter *A, Waiter *B) { return A->Core < B->Core; });
      give();
    }
    Me.Ready.wait(Lock, [&] { return Me.Served; });
  }

  std::mutex M;
  std::deque<Waiter *> Queue;
  unsigned Free;
  bool IsRandom = false;
  unsigned Missing = 0; // cores that have not come yet
  std::mt19937_64 Random;
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_RUNSLOTS_H
