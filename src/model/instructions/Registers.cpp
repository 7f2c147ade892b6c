//===- Registers.cpp - Vector functions, which are not simulated ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Functions.h"
#include "model/core/Failure.h"

using namespace belay::sim;

namespace {

[[noreturn]] void refuse(const char *What, const void *Pc) {
  fail("unsupported-api", Pc,
       "run it on a device; belay check reads such code without running it",
       "%s of the 3510 are not simulated", What);
}

} // namespace

bool belay_sim_vector_begin() { refuse("vector functions", BELAY_PC); }
bool belay_sim_vector_end() { refuse("vector functions", BELAY_PC); }
void belay_sim_threads_begin() { refuse("threads", BELAY_PC); }
void belay_sim_threads_end() { refuse("threads", BELAY_PC); }
void belay_sim_register_load(const void *, uint32_t) {
  refuse("registers", BELAY_PC);
}
void belay_sim_register_store(void *, uint32_t) {
  refuse("registers", BELAY_PC);
}
uint32_t belay_sim_register_mask(uint32_t, uint32_t) {
  refuse("registers", BELAY_PC);
}
void belay_sim_register_operation(const char *) {
  refuse("registers", BELAY_PC);
}
uint64_t belay_sim_thread_value(uint64_t, uint64_t) {
  refuse("threads", BELAY_PC);
}
