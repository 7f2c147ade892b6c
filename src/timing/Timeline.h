//===- Timeline.h - When each instruction ran -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_TIMELINE_H
#define BELAY_TIMING_TIMELINE_H

#include "timing/Profile.h"

#include <span>

namespace belay::timing {

/// An instruction, or a run of them on the scalar unit, in the middle draw.
struct TimelineEvent {
  double Start, End;
  float Waited; // its pipe had nothing else to do for so long before
  uint32_t Site;
  uint32_t Bytes;
  uint16_t Core;
  Pipe On;
  Cause Why; // ... because of this
};
/// A flag, from the end of what was waited for to whoever waited.
struct TimelineFlow {
  double From, To;
  uint16_t FromCore, ToCore;
  Pipe FromPipe, ToPipe;
};
struct TimelineSite {
  uint64_t Frame;
  char Name[40];
};
struct TimelineCore {
  CoreKind Kind;
  uint32_t Block, SubBlock;
};

/// Whole cores, that of the longest chain first, until there are MaxEvents.
struct Timeline {
  uint32_t AllCores = 0;
  bool CutShort = false; // in the middle of a core
  std::vector<TimelineCore> Cores;
  std::vector<TimelineSite> Sites;
  std::vector<TimelineEvent> Events;
  std::vector<TimelineFlow> Flows;

  static constexpr size_t MaxEvents = 60'000;
  /// Room for the largest.
  static constexpr size_t MaxBytes = 8 << 20;
};

Timeline drawTimeline(const Launch &L, const Costs &C, const ReplayResult &R);

/// Across the boundary of processes. What is read is consistent, or nothing.
void writeTimeline(const Timeline &T, std::span<uint8_t> To);
Timeline readTimeline(std::span<const uint8_t> From);

} // namespace belay::timing

#endif // BELAY_TIMING_TIMELINE_H
