//===- Threads.cpp - Code for threads, which is not simulated -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/core/Failure.h"

using namespace belay::sim;

namespace {

[[noreturn]] void refuse(const void *Pc) {
  fail("unsupported-api", Pc,
       "run it on a device; belay check reads such code without running it",
       "threads of the 3510 are not simulated");
}

} // namespace

void belay_sim_threads_begin() { refuse(BELAY_PC); }
void belay_sim_threads_end() { refuse(BELAY_PC); }
void belay_sim_thread_store(void *, uint32_t) { refuse(BELAY_PC); }
void belay_sim_thread_operation(const char *) { refuse(BELAY_PC); }
uint64_t belay_sim_thread_value(uint64_t, uint64_t) { refuse(BELAY_PC); }
