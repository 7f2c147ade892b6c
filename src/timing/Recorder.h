//===- Recorder.h - Has a launch timed --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_RECORDER_H
#define BELAY_TIMING_RECORDER_H

#include "model/core/Device.h"

#include <string_view>

namespace belay::timing {

struct Answer;

/// Records what every core of \p D executes, and fills \p To when the last has
/// ended. All of the launch's global memory has been added; \p Costs are the
/// lines of a file of costs.
BELAY_RUNTIME_API void timeLaunch(sim::Device &D, std::string_view Costs,
                                  bool AllDraws, Answer &To);

} // namespace belay::timing

#endif // BELAY_TIMING_RECORDER_H
