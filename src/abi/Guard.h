//===- Guard.h - Calls from a kernel: what was not proven -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_GUARD_H
#define BELAY_ABI_GUARD_H

#include "abi/Instructions.h"

extern "C" {
/// Of kernels that Belay made: a property does not hold, which could not be
/// proven. The id is of what would have happened.
[[noreturn]] BELAY_SIM_CALL void belay_sim_guard(const char *Id,
                                                 const char *Property);
}

#endif // BELAY_ABI_GUARD_H
