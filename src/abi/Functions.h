//===- Functions.h - The functions that kernels call ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The AscendC headers only marshal: every API call ends in one of the functions
// of Functions.def, which are compiled once, into the runtime. Each call is one
// instruction (or one library routine) issued by the scalar unit; its return
// address names the source line.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_FUNCTIONS_H
#define BELAY_ABI_FUNCTIONS_H

#include "abi/Buffers.h"
#include "abi/Gather.h"
#include "abi/Library.h"
#include "abi/Matmul.h"
#include "abi/Reduce.h"
#include "abi/Registers.h"
#include "abi/Sort.h"
#include "abi/Threads.h"
#include "abi/Transpose.h"
#include "abi/Vector.h"

// A tail call or a merged call would lose the line it came from.
#if defined(__clang__)
#define BELAY_SIM_CALL                                                         \
  __attribute__((visibility("default"), not_tail_called, nomerge))
#else
#define BELAY_SIM_CALL __attribute__((visibility("default")))
#endif

/// Their types, where those of parameters need no qualification.
namespace belay::sim::function_types {
#define BELAY_ABI(Name, Result, Parameters) using Name = Result Parameters;
#include "abi/Functions.def"
} // namespace belay::sim::function_types

extern "C" {
#define BELAY_ABI(Name, Result, Parameters)                                    \
  BELAY_SIM_CALL belay::sim::function_types::Name belay_sim_##Name;
#define BELAY_ABI_END(Name, Result, Parameters)                                \
  [[noreturn]] BELAY_ABI(Name, Result, Parameters)
#include "abi/Functions.def"

/// True while someone reads the stream of instructions.
extern __attribute__((visibility("default"))) bool belay_sim_observed;
}

#endif // BELAY_ABI_FUNCTIONS_H
