//===- KernelObject.h - A compiled kernel -----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_RUNNER_KERNELOBJECT_H
#define BELAY_RUNNER_KERNELOBJECT_H

#include "abi/Entry.h"
#include "abi/Launch.h"
#include "runner/TaskInference.h"

namespace belay::sim {

/// A kernel's shared object, loaded. Ends the process with a message if the
/// file is not one.
class KernelObject {
public:
  explicit KernelObject(const char *Path);

  const Entry &entry() const { return *TheEntry; }
  /// The same kernel compiled for cube cores counts for what it needs.
  void add(const KernelObject &ForCube) { Needs.import(ForCube.Map); }
  uintptr_t begin() const { return Begin; }
  uintptr_t end() const { return End; }

  /// What the launch says, else what KERNEL_TASK_TYPE says, else what __mix__
  /// says, else what the instructions in the object need.
  TaskKind taskKind(const Plan &P) const;

private:
  TaskKind marked() const;

  const Entry *TheEntry;
  const MixedKernels *Mixed = nullptr;
  uintptr_t Begin = 0, End = 0;
  const TaskNote *FirstNote = nullptr, *LastNote = nullptr;
  const link_map *Map = nullptr;
  TaskInference Needs;
};

} // namespace belay::sim

#endif // BELAY_RUNNER_KERNELOBJECT_H
