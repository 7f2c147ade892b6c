//===- Runner.h - The process that runs a device's kernels ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_RUNNER_H
#define BELAY_DEVICE_CORE_RUNNER_H

#include "conditions/Table.h"
#include "device/core/Configuration.h"
#include "device/core/Memory.h"
#include "device/core/Stream.h"

#include <sys/types.h>

namespace belay::device {

/// A kernel of a loaded binary.
struct Kernel {
  std::string Name;
  /// By what it is asked for; of a kernel of 'belay run', its symbol.
  std::string Key;
  /// Paths that the runner can open.
  std::string ObjectPath, CubeObjectPath;
  std::vector<sim::Param> Params;
  /// Of the language: see sim::DeviceObjectKernel.
  bool NeedsLauncher = false;
  /// Launches are held against what belay check asks of them: nothing, if it
  /// was not asked to be.
  std::shared_ptr<const conditions::KernelConditions> Conditions;
};

/// One launch, with all that it needs: the stream runs it later.
struct LaunchRequest {
  std::shared_ptr<const Kernel> What;
  uint32_t NumBlocks = 1;
  std::vector<uint8_t> Blob;
  /// If not null, the blob is read from here when the stream has come to it.
  const uint8_t *DeviceArgs = nullptr;
  std::vector<sim::ServedArg> Args;
  std::vector<sim::ServedPlaceholder> Placeholders;
  /// How floats are computed, and whether their overflow is asked for.
  bool SaturateFloats = false, WatchOverflow = false;
};

/// Launches one kernel at a time: all cores of the device belong to it. A
/// kernel that fails takes its process with it; the next launch starts another.
class BELAY_DEVICE_API RunnerLink {
public:
  RunnerLink(DeviceMemory &Memory, const DeviceKind &Kind)
      : Memory(Memory), Kind(Kind) {}
  ~RunnerLink();

  /// An error for a launch that does not meet what belay check asks of it.
  Outcome admit(const LaunchRequest &R);
  /// Overflowed is set if a float did, and the request asks for it.
  Outcome launch(const LaunchRequest &R, bool *Overflowed = nullptr);

private:
  bool start(std::string &Why);
  void end();
  void fill(const LaunchRequest &R);
  enum class Reply : uint8_t { Answered, Gone, Late, Unwanted };
  /// Unwanted if the stream's task is stopped.
  Reply await();
  Outcome explain(const LaunchRequest &R, bool TimedOut);

  std::timed_mutex Mutex;
  DeviceMemory &Memory;
  const DeviceKind Kind;
  sim::Channel *Shared = nullptr;
  int ChannelFd = -1, Socket = -1;
  pid_t Child = -1;
  uint64_t Seen = 0; // generation of the regions in the channel
};

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_RUNNER_H
