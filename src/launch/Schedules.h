//===- Schedules.h - The same launch in many legal orders -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_SCHEDULES_H
#define BELAY_LAUNCH_SCHEDULES_H

#include "launch/Launcher.h"
#include "report/FrameResolver.h"
#include <optional>

namespace belay::launch {

/// Orders of the pipes to try, after the launch in program order.
struct Schedules {
  unsigned Count = 0;
  uint64_t FirstSeed = 1;
};

/// Launches a kernel that has just passed again, with the pipes in one random
/// legal order after the other, and compares the outputs bit by bit. Says what
/// the first order that makes a difference changes; nothing if there is none.
/// Leaves the outputs of the first launch in the buffers.
llvm::Expected<std::optional<support::Diagnostic>>
trySchedules(const cases::Case &Case, ArgumentBuffers &Arguments,
             LaunchOptions Options, const Schedules &Wanted,
             report::FrameResolver &Resolver);

} // namespace belay::launch

#endif // BELAY_LAUNCH_SCHEDULES_H
