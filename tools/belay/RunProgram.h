//===- RunProgram.h - belay run of a whole program --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_RUNPROGRAM_H
#define BELAY_TOOLS_BELAY_RUNPROGRAM_H

#include "Command.h"

namespace belay::tool {

/// Compiles the files and runs them on the simulated device; the exit status.
int runProgram(const Command &Self, const Arguments &Args);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_RUNPROGRAM_H
