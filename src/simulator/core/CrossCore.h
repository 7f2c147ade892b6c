//===- CrossCore.h - Flags and barriers between cores -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_CORE_CROSSCORE_H
#define BELAY_SIMULATOR_CORE_CROSSCORE_H

#include "abi/Types.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace belay::sim {

class Core;

/// SyncAll and CrossCoreSetFlag/WaitFlag between the cores of a launch. Knows
/// who waits for what, so a wait that nobody can end becomes a report at once
/// instead of a time-out.
class CrossCore {
public:
  static constexpr unsigned NumFlags = 32;

  /// Cores register before any of them runs.
  void add(Core &C);
  void finish(Core &C);

  void syncAll(Core &C, bool VectorOnly, const void *PC);
  void setFlag(Core &C, unsigned Mode, unsigned Id);
  void waitFlag(Core &C, unsigned Mode, unsigned Id, const void *PC);

  /// Soft flags in global memory (IBSet/IBWait): wakes whoever polls.
  void waitUntil(Core &C, const char *What, const void *PC,
                 std::function<bool()> Ready);
  void notify();

  /// Whether a flag that From sets in this mode is one that To waits for.
  static bool feeds(const Core &From, const Core &To, unsigned Mode);

private:
  struct Member {
    Core *C;
    bool Finished = false;
    /// Under a schedule: its pipes still have something to do while it waits.
    bool Busy = false;
    std::function<bool()> Ready; // set while the core waits
    const void *PC = nullptr;
    char What[96] = {};
    uint64_t Synced[2] = {0, 0};     // SyncAll arrivals: all, vector only
    uint64_t Sets[NumFlags] = {};    // for flags that need several setters
    uint64_t Arrived[NumFlags] = {}; // flags raised for this core
    uint64_t Consumed[NumFlags] = {};
  };

  Member &member(const Core &C);
  /// Raises Id for To by as much as the slowest of From has set it.
  void raiseFromSlowest(unsigned Id, const std::function<bool(Member &)> &From,
                        const std::function<bool(Member &)> &To);
  void wait(std::unique_lock<std::mutex> &Lock, Member &Me,
            std::function<bool()> Ready, const void *PC);
  void reportIfStuck(const Member &Me);

  std::mutex M;
  std::condition_variable Changed;
  std::vector<Member> Members;
};

} // namespace belay::sim

#endif // BELAY_SIMULATOR_CORE_CROSSCORE_H
