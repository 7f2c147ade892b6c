//===- Profile.h - Where the cycles of a launch go --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_PROFILE_H
#define BELAY_TIMING_PROFILE_H

#include "timing/Answer.h"
#include "timing/Replay.h"

namespace belay::timing {

/// Replays a launch in the draws of the range or in all, follows the longest
/// chain of the middle one from its end to the start of the launch, and says
/// what its cycles went to. They add up to all cycles of the launch. If Middle
/// is given, it gets the replay of the middle draw.
void measure(const Launch &L, const CostTable &Table, Answer &A,
             bool AllDraws = false, ReplayResult *Middle = nullptr);

/// What held a step back from its start, for timelines.
Cause causeOfWait(const Launch &L, const ReplayResult &R, const Node &N);

} // namespace belay::timing

#endif // BELAY_TIMING_PROFILE_H
