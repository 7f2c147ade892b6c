//===- ScalarAccess.cpp - Elements and pointers of the scalar unit --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ScalarAccess.h"

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

void belay::sim::accessByPointer(const void *Address, uint32_t Bytes,
                                 bool Write, const void *PC) {
  accessScalar("a pointer", Address, Bytes, Write, PC);
}

void belay_sim_pointer(const void *Address, uint32_t Bytes, bool Write) {
  accessByPointer(Address, Bytes, Write, BELAY_PC);
}
