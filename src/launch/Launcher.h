//===- Launcher.h - Running a kernel in a child process ---------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_LAUNCHER_H
#define BELAY_LAUNCH_LAUNCHER_H

#include "abi/Launch.h"
#include "launch/ArgumentBuffers.h"
#include "launch/AwaitingRunner.h"
#include "support/Subprocess.h"
#include "timing/Timeline.h"
#include <memory>

namespace belay::launch {

struct LaunchOptions {
  /// belay-runner.
  std::string Runner;
  std::string ObjectPath, CubeObjectPath;
  /// The kernel gets processes of its own, which reach nothing of the result.
  bool Sealed = false;
  /// Those processes in a sandbox, or nowhere; for sealed ones only.
  bool Sandbox = false;
  /// For those in a sandbox: a runner that waits already, if there is one. It
  /// is taken.
  std::optional<AwaitingRunner> *Ready = nullptr;
  /// Simulated cores that run at once; 0 for one per CPU.
  uint32_t Slots = 0;
  /// CPU time of the launch; 0 for no limit. The case has what is said of it.
  double CpuSeconds = 0;
  std::string TracePath;
  bool Count = false;
  /// The costs of the SoC, to have the launch timed; "" for not.
  std::string Costs;
  bool AllDraws = false; // or those of the range
  bool Timeline = false;
  sim::Mutation Change = {};
  /// Send what the kernel prints to stderr, because stdout is ours.
  bool PrintToStderr = false;
  /// Drop it.
  bool Silent = false;
  /// gdb, on this terminal and without limits; "" for none.
  std::string Debugger;
  /// Instead of one run, one with the pipes in program order, as far as their
  /// flags allow, and as many in random legal orders, with seeds from OrderSeed
  /// on, until an output differs.
  std::optional<unsigned> Orders;
  uint64_t OrderSeed = 0;
  /// What local memories hold at the start.
  uint8_t LocalFill = 0;
};

/// What is left of a launch.
struct LaunchOutcome {
  support::ProcessResult Process;
  /// A copy, taken after the child's end, of what it wrote. Its text is
  /// terminated; nothing else in it is to be believed.
  sim::Report Report;
  /// What it costs, if that was asked for; cleaned, and not to be believed
  /// either.
  std::shared_ptr<timing::Answer> Time;
  timing::Timeline Timeline;
  /// What confined the kernel, if it was in a sandbox.
  std::optional<sandbox::Status> Confined;
  /// Of the last order that was tried, if any was.
  uint64_t OrderSeed = 0;
};

/// What the runner has to know of the target.
sim::Machine describeMachine(llvm::StringRef Soc);

/// Starts the runner and waits for its end, which comes: by itself, or when its
/// time, memory or CPU limit is reached. The results are in the buffers.
llvm::Expected<LaunchOutcome> launchKernel(const cases::Case &Case,
                                           const ArgumentBuffers &Arguments,
                                           const LaunchOptions &Options);

} // namespace belay::launch

#endif // BELAY_LAUNCH_LAUNCHER_H
