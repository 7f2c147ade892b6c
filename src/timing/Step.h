//===- Step.h - The instructions of a core, as a clock sees them *- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_STEP_H
#define BELAY_TIMING_STEP_H

#include "abi/Types.h"

#include <string>
#include <vector>

namespace belay::timing {

using sim::CoreKind;
using sim::Pipe;
using sim::Space;
inline constexpr unsigned NumPipes = static_cast<unsigned>(Pipe::All);

enum class StepKind : uint8_t {
  Vector,
  Cube,
  LocalCopy,    // between memories of the core
  GlobalCopy,   // from global memory or to it
  Scalar,       // the scalar unit accesses a register or a local memory
  ScalarGlobal, // ... global memory, through its cache
  Set,          // On tells Event that all it did is complete
  Wait,         // On waits for the next Set of Event
  WaitLast,     // ... for the last one, if there was any: queues
  AutoWait,     // the scalar unit needs what instruction Address wrote
  Barrier,      // of one pipe, or of all
  CrossSet,
  CrossWait,
  SyncAll,
  BlockEnd,
};

/// The mode of flags that are words of global memory.
inline constexpr uint16_t SoftMode = 31;

/// One instruction. What the fields mean depends on the kind.
struct Step {
  uint64_t Address = 0; // in global memory, all arguments in one row; of a
                        // cross-core wait: which set ends it
  uint32_t Bytes = 0;   // of all bursts
  uint32_t Bursts = 1;
  uint32_t Pitch = 0; // from burst to burst, in global memory
  uint32_t Site = 0;  // in Stream::Sites
  uint32_t Work = 0;  // repeats of a vector instruction, MACs / 256 of the cube
  uint16_t ReadConflicts = 0;  // extra cycles of the vector unit's reads
  uint16_t WriteConflicts = 0; // repeats that read and write one bank
  union {
    uint16_t Row = 0; // of a vector instruction, in CostTable::rows()
    uint16_t Event; // of flags, in Stream; of the cross-core kinds, mode and id
  };
  StepKind Kind = StepKind::Scalar;
  Pipe On = Pipe::S;
  Space From = Space::GM, To = Space::UB;
  uint8_t Class = 0;        // of Cube: which rate; of GlobalCopy: 1 for nd2nz
  bool Write : 1 = false;   // of GlobalCopy and ScalarGlobal
  bool OwnPipe : 1 = false; // of CrossWait: only On waits, not the core
  bool Bypass : 1 = false;  // of GlobalCopy: leaves L2 alone
};
static_assert(sizeof(Step) == 40, "there are millions of them");

/// A place in the source, and what stands there.
struct Site {
  uint64_t Frame = 0; // as sim::Place::Frames
  std::string Name;
  Pipe On = Pipe::S;
};

/// All that one core executed, in program order.
struct Stream {
  CoreKind Kind = CoreKind::Vector;
  uint32_t Block = 0, SubBlock = 0, Group = 0;
  std::vector<Step> Steps;
  std::vector<Site> Sites;
  uint32_t NumEvents = 0;
};

} // namespace belay::timing

#endif // BELAY_TIMING_STEP_H
