//===- Sanitizers.h - Has a launch checked ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_SANITIZERS_H
#define BELAY_SANITIZER_SANITIZERS_H

#include "model/core/Device.h"

namespace belay::sim {

/// Checks every core of \p D, if its plan asks for that. All of the launch's
/// global memory has been added.
BELAY_RUNTIME_API void checkIfRequested(Device &D);

} // namespace belay::sim

#endif // BELAY_SANITIZER_SANITIZERS_H
