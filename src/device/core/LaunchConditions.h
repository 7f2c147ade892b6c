//===- LaunchConditions.h - Launches that are not admitted ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DEVICE_CORE_LAUNCHCONDITIONS_H
#define BELAY_DEVICE_CORE_LAUNCHCONDITIONS_H

#include "device/core/Runner.h"

namespace belay::device {

/// What belay check asks of the launch and does not find: lines of compiler
/// messages; "" if the kernel may start.
std::string unmetConditions(const LaunchRequest &R, DeviceMemory &Memory);

} // namespace belay::device

#endif // BELAY_DEVICE_CORE_LAUNCHCONDITIONS_H
