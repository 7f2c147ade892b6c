//===- Counts.h - What a launch executed, in numbers ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_COUNTS_H
#define BELAY_ABI_COUNTS_H

#include "abi/Types.h"

namespace belay::sim {

/// Over all cores of a launch. Of what stands in the code, only what was
/// executed counts.
struct Counts {
  static constexpr unsigned NumPipes = static_cast<unsigned>(Pipe::All);
  static constexpr unsigned NumSpaces = static_cast<unsigned>(Space::Host);

  bool Known; // somebody counted
  /// Instructions that compute, copy or access memory.
  uint64_t ByPipe[NumPipes];
  /// Of Mmad: how many, the products that were asked for, and those that whole
  /// fractals have.
  uint64_t Multiplications, Products, Slots;
  uint64_t Loads; // LoadData in all its forms
  /// Bytes of copies, by source and destination: read, if the source is global
  /// memory, and written otherwise.
  uint64_t Moved[NumSpaces][NumSpaces];
  /// Synchronisation.
  uint64_t SetFlags, WaitFlags, Barriers, CrossSets, CrossWaits, SyncAlls;
  /// AllocTensor, EnQue, DeQue and FreeTensor, each of which sets a flag or
  /// waits for one; locks of 3510 and their release.
  uint64_t QueueSteps, Locks;
};

} // namespace belay::sim

#endif // BELAY_ABI_COUNTS_H
