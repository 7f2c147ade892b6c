//===- ScalarAccess.cpp - Elements and pointers of the scalar unit --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Pointers.h"
#include "abi/Vector.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"

using namespace belay::sim;

static void accessScalar(const char *Name, const void *Address, uint32_t Bytes,
                         bool Write, const void *PC) {
  Issue I(Name, Pipe::S, PC, InstructionKind::ScalarAccess);
  if (Write)
    I.write(const_cast<void *>(Address), {Bytes}, Elem::U8, 1);
  else
    I.read(Address, {Bytes}, Elem::U8, 1);
}

/// An access of the API, which the kernel carries out by a pointer right after.
static void announceScalar(const char *Name, const void *Address,
                           uint32_t Bytes, bool Write, const void *PC) {
  accessScalar(Name, Address, Bytes, Write, PC);
  Core &C = Core::current();
  C.Announced = {Address, Bytes, Write};
  C.AnnouncedAt = C.Instructions;
}

void belay_sim_scalar_local(const void *Address, uint32_t Bytes, bool Write) {
  announceScalar(Write ? "SetValue" : "GetValue", Address, Bytes, Write,
                 BELAY_PC);
}

void belay_sim_scalar_global(const void *Address, uint32_t Bytes, bool Write) {
  announceScalar(Write ? "GlobalTensor::SetValue" : "GlobalTensor::GetValue",
                 Address, Bytes, Write, BELAY_PC);
}

void belay_sim_pointer(const void *Address, uint32_t Bytes, bool Write) {
  accessScalar("a pointer", Address, Bytes, Write, BELAY_PC);
}

/// Most pointers of a kernel go to its own variables.
static void tellPointer(const void *Address, uint64_t Bytes, bool Write,
                        const void *PC) {
  Core *C = Core::currentOrNull();
  if (!belay_sim_observed || !C)
    return;
  if (C->AnnouncedAt == C->Instructions &&
      C->Announced.covers(Address, Bytes, Write))
    return;
  if (C->Memories.spaceOf(Address) != Space::Host ||
      C->device().isNearGlobal(Address))
    accessScalar("a pointer", Address, static_cast<uint32_t>(Bytes), Write, PC);
}

#define TELL_POINTER(Address, Bytes, Write)                                    \
  tellPointer(Address, Bytes, Write, BELAY_PC)
BELAY_POINTER_HANDLERS(TELL_POINTER)
