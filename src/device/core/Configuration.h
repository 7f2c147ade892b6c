//===- Configuration.h - The device that was asked for ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_CONFIGURATION_H
#define BELAY_DEVICE_CORE_CONFIGURATION_H

#include "device/core/Errors.h"
#include "targets/Target.h"

#include <string>

namespace belay::device {

/// What one simulated device is.
struct DeviceKind {
  const targets::Soc *Soc;
  bool Check = false; // run kernels under the sanitizer
  /// Whoever embeds the device tells what went wrong; nothing is printed, and
  /// the process ends as it likes.
  bool Embedded = false;
};

/// What the environment says of the simulated device; docs/device.md lists the
/// variables.
struct Configuration {
  const targets::Soc *Soc;
  unsigned Devices = 1;
  uint64_t MemoryBytes; // of each device
  bool Check = false;   // run kernels under the sanitizer
  double TimeLimitSeconds = 60;
  /// All bits set: NaN as float, half and bfloat16, -1 as integer. A result
  /// that depends on it is seen.
  int NewMemoryByte = 0xff;
  /// What a process ends with that made a mistake; 0 leaves it alone.
  int MistakeStatus = 86;
  /// The folder that has bin, lib, libexec and share.
  std::string Prefix;

  DeviceKind kind() const { return {Soc, Check}; }
  std::string libexec(const char *Name) const {
    return Prefix + "/libexec/belay/" + Name;
  }
};

/// Read once, at the first use. Ends the process if it makes no sense.
BELAY_DEVICE_API const Configuration &configuration();

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_CONFIGURATION_H
