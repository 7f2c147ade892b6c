//===- Recorder.h - Has a launch timed --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_RECORDER_H
#define BELAY_TIMING_RECORDER_H

#include "model/core/Device.h"

#include <span>
#include <string_view>

namespace belay::timing {

struct Answer;

struct TimeRequest {
  std::string_view Costs; // the lines of a file of costs
  bool AllDraws = false;
  Answer *To = nullptr;
  std::span<uint8_t> Timeline; // empty if nobody wants to see it
};

/// Records what every core of \p D executes, and answers when the last has
/// ended. All of the launch's global memory has been added.
BELAY_RUNTIME_API void timeLaunch(sim::Device &D, const TimeRequest &Request);

} // namespace belay::timing

#endif // BELAY_TIMING_RECORDER_H
