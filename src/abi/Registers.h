//===- Registers.h - Calls from a kernel: vector functions ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code of the 3510 that works on registers, or as many threads. The simulator
// has neither and fails with unsupported-api at the first of these calls; the
// static check follows which memory they start from.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_REGISTERS_H
#define BELAY_ABI_REGISTERS_H

#include "abi/Instructions.h"

extern "C" {

/// Between these two, code of one vector function. Begin is true, end false.
BELAY_SIM_CALL bool belay_sim_vector_begin();
BELAY_SIM_CALL bool belay_sim_vector_end();
/// Between these two, what one of many threads does.
BELAY_SIM_CALL void belay_sim_threads_begin();
BELAY_SIM_CALL void belay_sim_threads_end();

/// Reads or writes elements of so many bytes from this address on.
BELAY_SIM_CALL void belay_sim_register_load(const void *From,
                                            uint32_t ElementBytes);
BELAY_SIM_CALL void belay_sim_register_store(void *To, uint32_t ElementBytes);
/// How many of Count elements are left after Lanes of them.
BELAY_SIM_CALL uint32_t belay_sim_register_mask(uint32_t Count, uint32_t Lanes);
/// Anything that touches no memory.
BELAY_SIM_CALL void belay_sim_register_operation(const char *Name);

/// A number that differs from thread to thread, or that others computed.
BELAY_SIM_CALL uint64_t belay_sim_thread_value(uint64_t Least, uint64_t Most);

} // extern "C"

#endif // BELAY_ABI_REGISTERS_H
