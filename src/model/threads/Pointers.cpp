//===- Pointers.cpp - Loads and stores of kernels compiled for --check ----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Pointers.h"
#include "model/core/Device.h"
#include "model/instructions/ScalarAccess.h"
#include "model/threads/ThreadFunction.h"

using namespace belay::sim;

/// Most pointers of a kernel go to its own variables.
static void tellPointer(const void *Address, uint64_t Bytes, bool Write,
                        const void *PC) {
  Core *C = Core::currentOrNull();
  if (!belay_sim_observed || !C)
    return;
  if (C->Memories.spaceOf(Address) == Space::Host &&
      !C->device().isNearGlobal(Address))
    return;
  if (ThreadBlock *B = ThreadBlock::current())
    return ThreadFunction::current().access(B->thread(), Address, Bytes, Write,
                                            PC);
  if (C->AnnouncedAt == C->Instructions &&
      C->Announced.covers(Address, Bytes, Write))
    return;
  accessByPointer(Address, static_cast<uint32_t>(Bytes), Write, PC);
}

#define TELL_POINTER(Address, Bytes, Write)                                    \
  tellPointer(Address, Bytes, Write, BELAY_PC)
BELAY_POINTER_HANDLERS(TELL_POINTER)
