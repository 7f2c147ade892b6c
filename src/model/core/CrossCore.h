//===- CrossCore.h - Flags and barriers between cores -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_CROSSCORE_H
#define BELAY_MODEL_CORE_CROSSCORE_H

#include "abi/Types.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace belay::sim {

class Core;
struct Extent;

/// A cross-core flag that has been raised for a core: the mode it was set in,
/// and its ordinal among the sets of that mode.
struct Arrival {
  uint8_t Mode;
  uint64_t Ordinal;
};

/// SyncAll and CrossCoreSetFlag/WaitFlag between the cores of a launch. Knows
/// who waits for what, so a wait that nobody can end becomes a report at once
/// instead of a time-out.
class CrossCore {
public:
  /// Flags of modes 0, 1 and 2. Mode 4 has flags of its own: one core's ids
  /// start at 16 on the side of the cube core.
  static constexpr unsigned NumFlags = 16, NumPairFlags = 32;
  /// A flag is a counter that ends here.
  static constexpr size_t MostRaised = 15;

  /// Cores register before any of them runs.
  void add(Core &C);
  void finish(Core &C);

  void syncAll(Core &C, bool VectorOnly, const void *PC);
  /// Returns how often the flag is raised now for the core that has waited for
  /// it least often.
  size_t setFlag(Core &C, unsigned Mode, unsigned Id);
  Arrival waitFlag(Core &C, unsigned Mode, unsigned Id, const void *PC);
  /// Calls Visit(const Core &, const Arrival &, Flag) for every flag that is
  /// raised and was not waited for; for mode 4 the flag is that of the cube
  /// core.
  template <typename Fn> void forEachLeft(Fn Visit);

  /// Another core has stored the bytes of E, from Address on, into a memory of
  /// To, whose observer hears of them when To has waited.
  void deliver(Core &To, const Extent &E, const uint8_t *Address);

  /// Soft flags in global memory (IBSet/IBWait): wakes whoever polls.
  void waitUntil(Core &C, const char *What, const void *PC,
                 std::function<bool()> Ready, bool Barrier = false);
  void notify();

  /// The flag as the cube core counts it.
  static unsigned pairFlag(const Core &C, unsigned Id);

  /// Whether a flag that From sets in this mode is one that To waits for.
  static bool feeds(const Core &From, const Core &To, unsigned Mode);

private:
  struct Member {
    Core *C;
    bool Finished = false;
    /// Under a schedule: its pipes still have something to do while it waits.
    bool Busy = false;
    std::function<bool()> Ready; // set while the core waits
    bool AtBarrier = false;      // ... for all the others
    const void *PC = nullptr;
    char What[96] = {};
    uint64_t Synced[2] = {0, 0};       // SyncAll arrivals: all, vector only
    uint64_t Sets[3][NumFlags] = {};   // by mode: they need several setters
    uint64_t Raised[3][NumFlags] = {}; // how often these came to be complete
    uint64_t RaisedPair[NumPairFlags] = {};
    /// Raised for this core and not waited for; those of mode 4 come last.
    std::deque<Arrival> Pending[NumFlags + NumPairFlags];
    std::vector<std::pair<const uint8_t *, uint64_t>> Delivered;
  };

  Member &member(const Core &C);
  /// Raises Id for To by as much as the slowest of From has set it.
  size_t raiseFromSlowest(unsigned Mode, unsigned Id,
                          const std::function<bool(Member &)> &From,
                          const std::function<bool(Member &)> &To);
  size_t raisePair(Core &C, unsigned Id);
  void wait(std::unique_lock<std::mutex> &Lock, Member &Me,
            std::function<bool()> Ready, const void *PC);
  void reportIfStuck(const Member &Me);
  static void takeDelivered(Member &Me);

  std::mutex M;
  std::condition_variable Changed;
  std::vector<Member> Members;
};

template <typename Fn> void CrossCore::forEachLeft(Fn Visit) {
  std::lock_guard<std::mutex> Lock(M);
  for (const Member &X : Members)
    for (unsigned Slot = 0; Slot < NumFlags + NumPairFlags; ++Slot)
      for (const Arrival &A : X.Pending[Slot])
        Visit(*X.C, A, Slot < NumFlags ? Slot : Slot - NumFlags);
}

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_CROSSCORE_H
