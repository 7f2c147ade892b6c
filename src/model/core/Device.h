//===- Device.h - The cores of one launch, and what they share --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_DEVICE_H
#define BELAY_MODEL_CORE_DEVICE_H

#include "abi/Entry.h"
#include "abi/Launch.h"
#include "model/core/Counter.h"
#include "model/core/Failure.h"
#include "model/core/RunSlots.h"
#include "targets/Target.h"

#include <atomic>
#include <memory>
#include <vector>

namespace belay::sim {

class Core;
class CrossCore;
class LaunchObserver;
class LocalMemories;
class Observer;
class Schedule;

/// A kernel argument in global memory.
struct GlobalBuffer {
  uint8_t *Address;
  uint64_t Bytes;
  bool Writable;
  const char *Name;
  uint64_t Slack = 0;    // bytes after it that the device's allocator adds
  bool HasValues = true; // inputs do, outputs and workspace do not
  Elem Type = Elem::U8;
  bool TypeKnown = false;
  bool MustWrite = false; // an output of which every element is to be written
  uint32_t ElementBytes = 1;
};

/// One launch: its target, its global memory, its cores.
class BELAY_RUNTIME_API Device {
public:
  explicit Device(const Plan &P);
  ~Device();

  const Machine &machine() const { return Ask.Target; }
  const targets::Arch &arch() const { return Facts; }
  const Plan &plan() const { return Ask; }
  TaskKind task() const { return Task; }
  RunSlots &slots() { return Slots; }
  CrossCore &crossCore() { return *Cross; }

  void addGlobal(const GlobalBuffer &B);
  const std::vector<GlobalBuffer> &globals() const { return Globals; }
  /// The buffer that contains Address, or null.
  const GlobalBuffer *findGlobal(const void *Address) const;
  /// Whether Address lies in a buffer, or so near that nothing else is there:
  /// in the rest of its last page, or in the pages on either side.
  bool isNearGlobal(const void *Address) const;
  /// The buffer that Address misses by least; null if there is none at all.
  const GlobalBuffer *nearestGlobal(const void *Address) const;

  /// Has every core of the launch observed, by this one, too; before run().
  void observeWith(std::unique_ptr<LaunchObserver> Observer);
  /// Puts the local memories of all cores into one place that others may read;
  /// before run(). Used if it has to be cleared first.
  void shareLocal(uint8_t *Place, bool Used) {
    SharedLocal = Place;
    SharedLocalUsed = Used;
  }
  LocalMemories makeMemories(uint32_t CoreNumber) const;
  std::unique_ptr<Observer> makeObserver(Core &C);
  std::unique_ptr<Schedule> makeSchedule(Core &C);
  /// Of the run under way.
  const std::vector<Core *> &cores() const { return Cores; }

  /// A vector core that works on the same block as C, or null.
  Core *vectorCoreOf(const Core &C, uint32_t SubBlock) const;
  /// The cube core that works on the same block as C, or null.
  Core *cubeCoreOf(const Core &C) const;

  /// The cores that run() has for a launch of this kind, in their order.
  std::vector<CoreKind> coresOf(TaskKind Kind) const;
  /// Runs all blocks of the kernel to the end. ForCube is what cube cores run;
  /// it may be the same.
  void run(const Entry &E, const Entry &ForCube, TaskKind Kind,
           void *const *Args);

  uint64_t instructions() const { return Instructions; }
  /// Whether a 16-bit float overflowed; false if the plan does not ask.
  bool overflowed() const { return Overflowed; }
  const Counts &counts() const { return Executed.All; }

private:
  const Plan &Ask;
  const targets::Arch &Facts;
  TaskKind Task = TaskKind::Vector;
  std::vector<GlobalBuffer> Globals;
  std::vector<Core *> Cores;
  RunSlots Slots;
  std::unique_ptr<CrossCore> Cross;
  std::vector<std::unique_ptr<LaunchObserver>> Watchers;
  uint8_t *SharedLocal = nullptr;
  bool SharedLocalUsed = false;
  uint64_t Instructions = 0;
  LaunchCounts Executed;
  std::atomic<bool> Overflowed{false};
};

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_DEVICE_H
