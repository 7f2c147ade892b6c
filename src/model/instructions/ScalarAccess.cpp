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
#include <algorithm>

using namespace belay::sim;

/// Whether a tensor has just named the address.
static bool isElement(const Core &C, const void *Address, uint32_t Bytes) {
  unsigned Known = std::min(C.NumElements, Core::MaxElements);
  return std::any_of(C.Elements, C.Elements + Known,
                     [&](const AnnouncedAccess &X) {
                       return X.covers(Address, Bytes, X.Write);
                     });
}

static void accessScalar(const char *Name, const void *Address, uint32_t Bytes,
                         bool Write, const void *PC, bool ByPointer = false) {
  Core &C = Core::current();
  if (C.ElementsUntil != C.Instructions)
    C.NumElements = 0;
  Issue I(Name, Pipe::S, PC, InstructionKind::ScalarAccess);
  C.ElementsUntil = C.Instructions;
  if (ByPointer && !isElement(C, Address, Bytes))
    I.byPointer();
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
  C.Elements[C.NumElements++ % Core::MaxElements] = C.Announced;
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
  accessScalar("a pointer", Address, Bytes, Write, PC, /*ByPointer=*/true);
}

void belay_sim_pointer(const void *Address, uint32_t Bytes, bool Write) {
  accessByPointer(Address, Bytes, Write, BELAY_PC);
}
