//===- Mutation.h - A stream with one defect put in -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_MUTATION_H
#define BELAY_MODEL_CORE_MUTATION_H

#include "abi/Launch.h"
#include "model/core/Observer.h"

namespace belay::sim {

/// Whether the instruction at PC is one that M leaves out of the run.
bool skips(const Mutation &M, const void *PC);

/// Changes I as M says; false if I is not to be heard of.
bool applyMutation(const Mutation &M, InstructionRecord &I);

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_MUTATION_H
